// The health check of the image: exits with 0 if the service on PORT responds to /healthz, otherwise with 1.
const { PORT = '4400' } = process.env;
try {
  const response = await fetch(`http://127.0.0.1:${PORT}/healthz`, { signal: AbortSignal.timeout(4000) });
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
