// The health check of the image: exits with 0 if the service on HOST:PORT responds to /healthz, otherwise with 1.
// As for the service itself, an empty setting is none.
const address = process.env.HOST || '127.0.0.1';
const host = address.includes(':') ? `[${address}]` : address;
const port = process.env.PORT || '4400';
try {
  const response = await fetch(`http://${host}:${port}/healthz`, { signal: AbortSignal.timeout(4000) });
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
