// The health check of the image: exits with 0 if the service on HOST:PORT responds to /healthz, otherwise with 1.
const { HOST = '127.0.0.1', PORT = '4400' } = process.env;
const host = HOST.includes(':') ? `[${HOST}]` : HOST;
try {
  const response = await fetch(`http://${host}:${PORT}/healthz`, { signal: AbortSignal.timeout(4000) });
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
