// Sets of characters as programs of before Unicode write them, each with a sentence in a language that is written in it.

/** The bytes of every character that a set has, found by decoding all bytes and pairs of them. */
function tableOf(charset: string, isWide: boolean): Map<string, Buffer> {
  const decoder = new TextDecoder(charset)
  const table = new Map<string, Buffer>()
  const add = (bytes: number[]) => {
    const char = decoder.decode(Uint8Array.from(bytes))
    if ([...char].length === 1 && char !== '\ufffd' && !table.has(char))
      table.set(char, Buffer.from(bytes))
  }
  for (let one = 0; one < 256; one++) add([one])
  if (isWide)
    for (let one = 0x81; one < 0xff; one++)
      for (let other = 0x40; other < 0xff; other++) add([one, other])
  return table
}

const tables = new Map<string, Map<string, Buffer>>()

function encoded(text: string, charset: string, isWide: boolean): Buffer {
  const table = tables.get(charset) ?? tableOf(charset, isWide)
  tables.set(charset, table)
  return Buffer.concat(
    [...text].map((char) => {
      const bytes = table.get(char)
      if (!bytes) throw new Error(`${char} is not in ${charset}`)
      return bytes
    }),
  )
}

/** Between two signs, in seven bits. */
const shifted =
  (charset: string, [before, into, out]: [string, string, string]) =>
  (text: string) =>
    Buffer.from(
      before +
        text.replaceAll(/[^\0-\x7f]+/g, (run) => {
          const bytes = encoded(run, charset, true).map((byte) => byte & 0x7f)
          return into + Buffer.from(bytes).toString('latin1') + out
        }),
      'latin1',
    )

export type SetOfCharacters = {
  label: string
  sentence: string
  bytes: (text: string) => Buffer
  /** It has one byte a character, or two. */
  isWide: boolean
}

const rows: [label: string, sentence: string, isWide?: true, charset?: string][] = [
  ['iso-8859-1', 'Grüße aus Köln, schöne Tage für Sie.'],
  ['iso-8859-2', 'Dziękuję, przyjdę jutro z żoną na spotkanie.'],
  ['iso-8859-3', 'Ĝis revido, ĉiuj amikoj.'],
  ['iso-8859-4', 'Labdien, mēs gaidām jūsu atbildi.'],
  ['iso-8859-5', 'Спасибо, мы ждём вашего ответа.'],
  ['iso-8859-6', 'شكرا لكم على الرسالة الجميلة'],
  ['iso-8859-7', 'Ευχαριστούμε για το μήνυμά σας.'],
  ['iso-8859-8', 'תודה רבה על ההודעה שלכם'],
  ['iso-8859-9', 'Teşekkürler, görüşmek üzere, iyi günler.'],
  ['iso-8859-10', 'Þakka þér fyrir bréfið, sjáumst á morgun.'],
  ['iso-8859-13', 'Ačiū už laišką, lauksime jūsų.'],
  ['iso-8859-15', 'Ça coûte 50 €, à bientôt cœur.'],
  ['iso-8859-16', 'Mulțumesc, să aveți o zi frumoasă și bună.'],
  ['windows-1250', 'Děkuji, těším se na vaši odpověď.'],
  ['windows-1251', 'Спасибо, мы ждём вашего ответа.'],
  ['windows-1252', 'Ça ira – « merci » à vous, cœur.'],
  ['windows-1253', 'Ευχαριστούμε για το μήνυμα.'],
  ['windows-1254', 'Teşekkürler, görüşmek üzere, iyi günler.'],
  ['windows-1255', 'תודה רבה על ההודעה שלכם'],
  ['windows-1256', 'شكرا لكم على الرسالة الجميلة'],
  ['windows-1257', 'Ačiū už laišką, lauksime jūsų.'],
  ['windows-874', 'ขอบคุณมากครับ แล้วพบกันใหม่'],
  ['koi8-r', 'Спасибо, мы ждём вашего ответа.'],
  ['koi8-u', 'Дякуємо, ми чекаємо вашої відповіді, її.'],
  ['ibm866', 'Спасибо, мы ждем вашего ответа.'],
  ['macintosh', 'Ça ira très bien, à bientôt.'],
  ['gb2312', '谢谢您的来信，我们明天再联系。', true, 'gbk'],
  ['gb18030', '謝謝您的來信，我們明天再聯繫。', true],
  ['big5', '謝謝您的來信，我們明天再聯絡。', true],
  ['euc-kr', '감사합니다. 내일 다시 연락드리겠습니다.', true],
  ['shift_jis', 'ありがとうございます。明日ご連絡します。', true],
  ['euc-jp', 'ありがとうございます。明日ご連絡します。', true],
]

export const setsOfCharacters: SetOfCharacters[] = [
  ...rows.map(([label, sentence, isWide, charset = label]) => ({
    ...{ label, sentence, isWide: isWide === true },
    bytes: (text: string) => encoded(text, charset, isWide === true),
  })),
  {
    ...{ label: 'iso-2022-jp', sentence: 'ありがとうございます。明日ご連絡します。', isWide: true },
    bytes: shifted('euc-jp', ['', '\u001b$B', '\u001b(B']),
  },
  {
    ...{ label: 'iso-2022-kr', sentence: '감사합니다 내일 연락드리겠습니다', isWide: true },
    bytes: shifted('euc-kr', ['\u001b$)C', '\x0e', '\x0f']),
  },
  {
    ...{ label: 'hz-gb-2312', sentence: '谢谢您的来信，我们明天再联系。', isWide: true },
    bytes: shifted('gbk', ['', '~{', '~}']),
  },
]
