import { parentPort } from 'node:worker_threads'

// A thread that comes to no end with whatever it is given.

parentPort?.on('message', () => {
  for (;;);
})
parentPort?.postMessage('ready')
