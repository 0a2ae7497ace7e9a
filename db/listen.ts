import pg from 'pg'

/**
 * Listens for NOTIFY on a connection of its own, which it opens again when it breaks. A notification only shortens a wait:
 * every listener also polls, so one that was lost while the connection was down costs nothing but time.
 */
export function listen(databaseUrl: string, channel: string, heard: (payload: string) => void) {
  let closed = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined

  const open = async () => {
    const next = new pg.Client({
      connectionString: databaseUrl,
      application_name: `postroom ${channel}`,
    })
    client = next
    const again = () => {
      if (closed || client !== next) return
      client = undefined
      next.end().catch(() => {})
      timer = setTimeout(open, 500)
    }
    next.on('error', again)
    next.on('end', again)
    next.on('notification', (message) => heard(message.payload ?? ''))
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
      heard('')
    } catch {
      again()
    }
  }
  void open()

  return {
    async close() {
      closed = true
      clearTimeout(timer)
      await client?.end().catch(() => {})
    },
  }
}
