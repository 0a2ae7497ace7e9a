import { spawn } from 'node:child_process'
import type { Command } from 'commander'
import { usage } from '../failure.ts'
import { type Add, helped } from '../helped.ts'

export const addOpen: Add = (program, run) => {
  helped(
    program
      .command('open')
      .argument('[page]', 'docs', 'docs')
      .summary('open the reference in a browser')
      .description(
        'Opens the reference of the service that you are logged in to, and prints its address. Without a display it prints the address alone.',
      ),
    'postroom open docs',
  ).action((page: string, _: unknown, command: Command) =>
    run(command, async (session) => {
      const { terminal } = session
      if (page !== 'docs') throw usage(`There is no page ${page}.`, 'Did you mean docs?')
      const url = `${new URL((await session.login()).url).origin}/docs`
      if (terminal.json) terminal.object({ url })
      else terminal.line(url)
      const { DISPLAY, WAYLAND_DISPLAY } = process.env
      const hasDisplay = process.platform !== 'linux' || DISPLAY || WAYLAND_DISPLAY
      if (!terminal.isTerminal || !hasDisplay) return
      const [program, ...args] =
        process.platform === 'darwin'
          ? ['open']
          : process.platform === 'win32'
            ? ['cmd', '/c', 'start', '']
            : ['xdg-open']
      spawn(program as string, [...args, url], { stdio: 'ignore', detached: true })
        // The address stands above: a browser that does not start is no failure.
        .on('error', () => {})
        .unref()
    }),
  )
}
