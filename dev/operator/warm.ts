// Compiles what the API and the worker consist of. Node keeps it in NODE_COMPILE_CACHE when this ends.

await import('../../api/app.ts')
await import('../../activities/worker/start.ts')
process.exit(0)
