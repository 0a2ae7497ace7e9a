import { serve } from '../../process/children/serve.ts'

// A child that does what a test asks of it.

const held: Buffer[] = []

serve({
  echo: (said: unknown, bytes) => ({ said, bytes, pid: process.pid }),
  spin: () => {
    for (;;) Math.random()
  },
  parts: (parts: number, _bytes, reached) => {
    for (let part = 0; part < parts; part++) reached(part)
    for (;;) Math.random()
  },
  hold: () => {
    for (;;) held.push(Buffer.alloc(8 * 1024 * 1024, 1))
  },
  heap: () => {
    const strings: string[] = []
    for (;;) strings.push(`${strings.length}`.repeat(100))
  },
  rest: (ms: number) => new Promise((resolve) => setTimeout(resolve, ms)),
  die: () => process.exit(3),
  fail: () => {
    throw new RangeError('a word of a stranger')
  },
  reach: async () => {
    const { readFileSync, writeFileSync } = await import('node:fs')
    const { execFileSync } = await import('node:child_process')
    const tried = [
      () => writeFileSync('/tmp/postroom-reached', ''),
      () => execFileSync('true'),
      () => readFileSync(`/proc/${process.ppid}/environ`),
      () => readFileSync('/proc/self/environ'),
      () => readFileSync('/etc/passwd'),
    ]
    return {
      env: Object.keys(process.env),
      tried: tried.map((attempt) => {
        try {
          attempt()
          return 'done'
        } catch (error) {
          return (error as { code?: string }).code
        }
      }),
    }
  },
})
