import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../db/database.ts'
import { applyWorkspaceFile } from '../../dev/operator/workspace-apply.ts'
import { secretKey } from './given.ts'
import { createTestDatabase } from './postgres.ts'

export const now = new Date('2026-11-23T09:00:00.000Z')

/** The file of the documentation, with this workspace name, so that each test has its own. */
export const file = (
  n: string,
) => `workspace: { id: wsp_${n}, name: Demo, timezone: Europe/Berlin, tagging: true }
house: Be brief.
members: [{ id: mem_${n}, name: Ana Ruiz, email: ana@example.test, jobTitle: Sales, zone: Inbound, signature: "Ana" }]
connections:
  - { id: con_${n}, kind: email, name: Ana's mailbox, account: ana@example.test, member: mem_${n}, limits: { day: 40 },
      smtp: { host: 127.0.0.1, port: "\${SMTP_PORT:-3025}", secure: false, user: ana, password: "\${ANA_PASSWORD}", tls: { servername: x } } }
products: [{ id: prd_${n}, name: CRM, description: A light CRM, side: sell, goal: demo, conditions: [{ price: 49 EUR }], markets: [DE] }]
companies: [{ id: com_${n}, name: Us Ltd, pitch: Calm., policy: No politics., facts: [{ label: founded, value: "2019" }], markets: [DE] }]
agents: [{ id: agt_${n}, name: Eva, company: com_${n}, goal: Book a demo, rules: Polite., knowledge: "…", enabled: true, labels: [CRM],
           channels: [con_${n}], hours: { from: "08:00" } }]
prospects: people.csv
people:
  - { id: per_${n}, name: Ben, email: Ben@Client.example, phone: "+442079460001", tags: [{ label: CRM, side: client }] }
conversations:
  - id: cnv_${n}
    person: per_${n}
    connection: con_${n}
    subject: A question
    labels: [pricing]
    messages:
      - { direction: inbound, at: -2d, text: "What does it cost?", files: [{ name: a.txt, type: text/plain, content: aGVsbG8= }] }
      - { direction: outbound, at: 2026-11-22T09:00:00Z, text: 49 EUR. }
`
export const env = { ANA_PASSWORD: 'hidden' }

export type WorkspaceFiles = Awaited<ReturnType<typeof workspaceFiles>>

/** A database, and a folder of files that are applied to it. */
export async function workspaceFiles() {
  const database = await createTestDatabase()
  const db = openDatabase(database.url, 4)
  const folder = mkdtempSync(join(tmpdir(), 'workspace-file-'))
  writeFileSync(join(folder, 'people.csv'), 'name,email,city\nCy,cy@prospect.example,Bonn\n')
  const save = (name: string, text: string) => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }
  async function apply(
    text: string,
    options: { plan?: boolean; env?: NodeJS.ProcessEnv; now?: Date } = {},
  ) {
    const outcome = await applyWorkspaceFile(db, {
      path: save('w.yml', text),
      env,
      secretKey,
      now,
      ...options,
    })
    if (outcome.problems) throw new Error(outcome.problems.map(({ message }) => message).join('\n'))
    return outcome.changes
  }
  async function end() {
    await db.destroy()
    await database.drop()
    rmSync(folder, { recursive: true })
  }
  return { database, db, folder, save, apply, end }
}
