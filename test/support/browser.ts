import { existsSync } from 'node:fs'
import type { Context } from 'mocha'
import { type Browser, chromium } from 'playwright-core'
import { atEnd } from './hooks.ts'

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The machine's Chromium, without a window. Makes the test or suite of the context pending where there is none. */
export async function testBrowser(context: Context): Promise<Browser> {
  const executablePath = places.find(existsSync)
  if (!executablePath) context.skip()
  // As root, as in containers, its own sandbox refuses to start.
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  atEnd(() => browser.close())
  return browser
}
