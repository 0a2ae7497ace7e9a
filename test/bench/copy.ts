import type pg from 'pg'

// COPY … FROM STDIN over the driver's own connection, which has no call for it.

type Connection = {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}

const linesAtOnce = 1_000

/** Copies lines, in the text format of Postgres, into a table with its columns. */
export function copyInto(client: pg.Client, target: string, lines: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let failed: Error | undefined
    client.query({
      submit: (connection: Connection) => connection.query(`copy ${target} from stdin`),
      handleCopyInResponse(connection: Connection) {
        for (let i = 0; i < lines.length; i += linesAtOnce)
          connection.sendCopyFromChunk(Buffer.from(lines.slice(i, i + linesAtOnce).join('')))
        connection.endCopyFrom()
      },
      handleCommandComplete() {},
      handleError(error: Error) {
        failed = error
        reject(error)
      },
      handleReadyForQuery() {
        if (!failed) resolve()
      },
    } as unknown as pg.Submittable)
  })
}
