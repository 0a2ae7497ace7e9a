// How programs of people mark what they quote or send on. `Q` stands for the quoted text, whose lines the program marks or not.

export type Program = {
  name: string
  /** What stands between the writer's own words and the quotation. */
  above: string
  /** What is put before each line that is quoted. */
  sign: string
  /** The writer's own words stand below it. */
  below?: true
}

const ana = 'Ana Ruiz <ana@halden.example>'
const head = (from: string, sent: string, to: string, subject: string) =>
  `${from}: ${ana}\n${sent}: Monday, 23 November 2026 10:00\n${to}: Kim\n${subject}: Cold room\n`

const rows: [name: string, above: string, sign: string, below?: true][] = [
  ['Gmail', `On Mon, Nov 23, 2026 at 10:00 AM ${ana}\nwrote:\n`, '> '],
  [
    'Gmail in German',
    `Am Mo., 23. Nov. 2026 um 10:00 Uhr schrieb Ana Ruiz <\nana@halden.example>:\n`,
    '> ',
  ],
  ['Gmail in French', `Le lun. 23 nov. 2026 à 10:00, ${ana} a\nécrit :\n`, '> '],
  [
    'Gmail in Spanish',
    `El lun, 23 nov 2026 a las 10:00, Ana Ruiz (<ana@halden.example>) escribió:\n`,
    '> ',
  ],
  ['Gmail in Italian', `Il giorno lun 23 nov 2026 alle ore 10:00 ${ana} ha scritto:\n`, '> '],
  ['Gmail in Portuguese', `Em seg., 23 de nov. de 2026 às 10:00, ${ana} escreveu:\n`, '> '],
  ['Gmail in Polish', `pon., 23 lis 2026 o 10:00 ${ana} napisał(a):\n`, '> '],
  ['Gmail in Russian', `пн, 23 нояб. 2026 г. в 10:00, ${ana}:\n`, '> '],
  ['Gmail in Swedish', `Den mån 23 nov. 2026 kl 10:00 skrev ${ana}:\n`, '> '],
  ['Gmail in Japanese', `2026年11月23日(月) 10:00 ${ana}:\n`, '> '],
  ['Apple Mail', `> On 23 Nov 2026, at 10:00, ${ana} wrote:\n> `, '> '],
  ['Outlook', head('From', 'Sent', 'To', 'Subject'), ''],
  ['Outlook in German', head('Von', 'Gesendet', 'An', 'Betreff'), ''],
  ['Outlook in French', head('De ', 'Envoyé ', 'À ', 'Objet '), ''],
  ['Outlook in Swedish', head('Från', 'Skickat', 'Till', 'Ämne'), ''],
  ['Outlook in Czech', head('Od', 'Odesláno', 'Komu', 'Předmět'), ''],
  ['Outlook in Chinese', head('发件人', '发送时间', '收件人', '主题'), ''],
  ['Outlook in Korean', head('보낸 사람', '보낸 날짜', '받는 사람', '제목'), ''],
  [
    'Outlook on telephones',
    `Get Outlook for iOS\n________________________________\n${head('From', 'Sent', 'To', 'Subject')}`,
    '',
  ],
  [
    'Outlook of before',
    `-----Original Message-----\n${head('From', 'Sent', 'To', 'Subject')}`,
    '> ',
  ],
  ['Thunderbird', 'On 11/23/26 10:00, Ana Ruiz wrote:', '> ', true],
  ['Thunderbird in German', 'Am 23.11.26 um 10:00 schrieb Ana Ruiz:', '> ', true],
  ['Thunderbird in French', 'Le 23/11/2026 à 10:00, Ana Ruiz a écrit :', '> ', true],
  ['Yahoo', `On Monday, November 23, 2026 at 10:00:00 AM GMT+1, ${ana} wrote:\n`, ''],
  [
    'web.de',
    `Gesendet: Montag, 23. November 2026 um 10:00 Uhr\nVon: ${ana}\nAn: kim@client.example\nBetreff: Cold room\n`,
    '',
  ],
  [
    'Samsung',
    `-------- Ursprüngliche Nachricht --------\nVon: ${ana}\nDatum: 23.11.26 10:00 (GMT+01:00)\n`,
    '',
  ],
  ['GroupWise', `>>> ${ana} 23.11.2026 10:00 >>>`, ''],
  [
    'Notes',
    `-----${ana} wrote: -----\nTo: kim@client.example\nFrom: ${ana}\nDate: 11/23/2026 10:00\nSubject: Cold room\n`,
    '',
  ],
  ['The Bat', 'Monday, November 23, 2026, 10:00:00, you wrote:\n', 'AR> '],
  ['mutt', 'On Mon, Nov 23, 2026 at 10:00:00AM +0100, Ana Ruiz wrote:', '> ', true],
  ['Gnus', `${ana} writes:\n`, '> ', true],
  ['Claws Mail', `On Mon, 23 Nov 2026 10:00:00 +0100\n${ana} wrote:\n`, '> ', true],
  ['Horde', `Zitat von ${ana}:\n`, '> ', true],
  ['Roundcube', 'On 2026-11-23 10:00, Ana Ruiz wrote:', '> '],
  ['Mail.ru', `Понедельник, 23 ноября 2026, 10:00 +03:00 от ${ana}:\n`, ''],
  ['Yandex', '23.11.2026, 10:00, "Ana Ruiz" <ana@halden.example>:\n', ''],
  ['NetEase', '在 2026-11-23 10:00:00，"Ana Ruiz" <ana@halden.example> 写道：\n', ''],
  [
    'Foxmail',
    `------------------ 原始邮件 ------------------\n${head('发件人', '发送时间', '收件人', '主题')}`,
    '',
  ],
  [
    'Proton Mail',
    `------- Original Message -------\nOn Monday, November 23rd, 2026 at 10:00, ${ana} wrote:\n`,
    '> ',
  ],
  ['Tutanota', '23. Nov. 2026, 10:00 von ana@halden.example:\n', '> '],
  // What is sent on.
  [
    'a forward of Gmail',
    `---------- Forwarded message ---------\nFrom: ${ana}\nDate: Mon, Nov 23, 2026\n`,
    '',
  ],
  ['a forward of Apple Mail', `Begin forwarded message:\n\nFrom: ${ana}\nSubject: Cold room\n`, ''],
  [
    'a forward of Apple Mail in German',
    `Anfang der weitergeleiteten Nachricht:\n\nVon: ${ana}\nBetreff: Cold room\n`,
    '',
  ],
  [
    'a forward of Thunderbird in French',
    `-------- Message transféré --------\nSujet : Cold room\nDate : 23/11\n`,
    '',
  ],
]

export const programs: Program[] = rows.map(([name, above, sign, below]) => ({
  ...{ name, above, sign },
  ...(below && { below }),
}))

/** A text in which somebody has written `own`, and quotes the other. */
export function answered({ above, sign, below }: Program, own: string, quoted: string): string {
  const quotation = `${above}\n${quoted
    .split('\n')
    .map((line) => `${sign}${line}`)
    .join('\n')}`
  return below ? `${quotation}\n\n${own}` : `${own}\n\n${quotation}`
}
