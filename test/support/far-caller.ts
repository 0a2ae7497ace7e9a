import { parentPort, workerData } from 'node:worker_threads'

// Makes one call from a thread of its own, so that a large body costs this thread nothing. The body is made of its parts, each
// repeated so many times.

export type FarCall = { url: string; headers: Record<string, string>; parts: [string, number][] }

const { url, headers, parts } = workerData as FarCall
const body = parts.map(([part, times]) => part.repeat(times)).join('')
const response = await fetch(url, { method: 'POST', headers, body })
parentPort?.postMessage({ status: response.status, text: await response.text() })
