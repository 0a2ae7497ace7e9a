import { parentPort } from 'node:worker_threads'

// A thread that never finishes, whatever it is given.

parentPort?.on('message', () => {
  for (;;);
})
parentPort?.postMessage('ready')
