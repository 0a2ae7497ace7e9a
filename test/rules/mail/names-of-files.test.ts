import { deepEqual } from 'node:assert/strict'
import { readMail } from '../../../rules/mail/read.ts'

const at = new Date('2026-11-23T09:00:00Z')

describe('the name of a file in a mail', () => {
  const german = 'Grüße.pdf'
  // As programs write it, in bytes of Latin 1.
  const rows: [disposition: string, name: string][] = [
    ["filename*=utf-8''Gr%C3%BC%C3%9Fe.pdf", german],
    ["filename*=bogus''Gr%C3%BC%C3%9Fe.pdf", german],
    ["filename*=bogus''Gr%FC%DFe.pdf", german],
    ["filename*=us-ascii''Gr%C3%BC%C3%9Fe.pdf", german],
    ["filename*=unknown-8bit''Gr%FC%DFe.pdf", german],
    ["filename*=iso-8859-1''Gr%C3%BC%C3%9Fe.pdf", german],
    ["filename*=iso-8859-1'de'Gr%FC%DFe.pdf", german],
    ["filename*=utf-8''Gr%FC%DFe.pdf", german],
    ["filename*=utf-16''Gruesse.pdf", 'Gruesse.pdf'],
    ["filename*=cp850''Gr%81%E1e.pdf", german],
    ["filename*=''Gr%C3%BC%C3%9Fe.pdf", german],
    ['filename*=Gr%C3%BC%C3%9Fe.pdf', german],
    ["filename*=utf-8'Gr%C3%BC%C3%9Fe.pdf", german],
    ['filename*="utf-8\'\'Gr%C3%BC%C3%9Fe.pdf"', german],
    ['filename="utf-8\'\'Gr%C3%BC%C3%9Fe.pdf"', german],
    ["filename*0*=bogus''Gr%C3%BC%C3; filename*1*=%9Fe.pdf", german],
    ["filename*1*=%9Fe.pdf; filename*0*=bogus''Gr%C3%BC%C3", german],
    ['filename*0="utf-8\'\'Gr%C3%BC"; filename*1="%C3%9Fe.pdf"', german],
    ['filename*0*=iso-8859-1\'de\'Gr%FC; filename*1="\xdfe.pdf"', german],
    ["filename*=iso-8859-1''Gr\xfc\xdfe.pdf", german],
    ['filename="Gr\xfc\xdfe.pdf"', german],
    ['filename="Gruesse.pdf"; filename*=utf-8\'\'', 'Gruesse.pdf'],
    ["filename*=windows-1251''%CF%F0%E8%E2%E5%F2.pdf", 'Привет.pdf'],
    ["filename*=x-sjis''%82%B1%82%F1%82%C9%82%BF%82%CD.pdf", 'こんにちは.pdf'],
    ["filename*=utf-8''it's%20(1).pdf", "it's (1).pdf"],
    ['filename="100%25.pdf"', '100%25.pdf'],
  ]
  for (const [disposition, name] of rows)
    it(`is ${name}: ${JSON.stringify(disposition)}`, async () => {
      for (const type of ['application/pdf', 'text/csv', 'text/plain']) {
        const lines = [
          ...['From: Kim <kim@client.example>', 'Content-Type: multipart/mixed; boundary=b', ''],
          ...['--b', '', 'Hello', '--b', `Content-Type: ${type}`],
          ...[`Content-Disposition: attachment; ${disposition}`, '', 'x', '--b--', ''],
        ]
        const { files } = await readMail(Buffer.from(lines.join('\r\n'), 'latin1'), at)
        deepEqual(
          files.map((file) => file.name),
          [name],
        )
      }
    })
})
