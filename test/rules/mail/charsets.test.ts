import { equal } from 'node:assert/strict'
import { decodeText } from '../../../rules/mail/charsets/decode.ts'

const hex = (text: string) => Buffer.from(text, 'hex')
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const utf8 = (text: string) => Buffer.from(text)

describe('the set of characters of a text', () => {
  const rows: [what: string, label: string | undefined, bytes: Buffer, text: string][] = [
    ['UTF-8 under us-ascii', 'us-ascii', utf8('Grüße aus Köln'), 'Grüße aus Köln'],
    ['UTF-8 under ANSI_X3.4-1968', 'ANSI_X3.4-1968', utf8('Grüße'), 'Grüße'],
    ['UTF-8 under iso-8859-1', 'iso-8859-1', utf8('Grüße'), 'Grüße'],
    ['UTF-8 under windows-1251', 'windows-1251', utf8('Привет, как дела'), 'Привет, как дела'],
    ['UTF-8 under koi8-r', 'koi8-r', utf8('Привет'), 'Привет'],
    ['UTF-8 under gb2312', 'gb2312', utf8('你好世界，价格'), '你好世界，价格'],
    ['UTF-8 under iso-2022-jp', 'iso-2022-jp', utf8('こんにちは'), 'こんにちは'],
    ['UTF-8 under utf-16', 'utf-16', utf8('Grüße aus Köln'), 'Grüße aus Köln'],
    ['UTF-8 under utf-7', 'utf-7', utf8('Grüße'), 'Grüße'],
    ['UTF-8 under a label of nobody', 'x-what-ever', utf8('Grüße'), 'Grüße'],
    ['UTF-8 without a label', undefined, utf8('Grüße'), 'Grüße'],
    ['UTF-8 with a byte order mark', 'iso-8859-1', utf8('\ufeffGrüße'), 'Grüße'],
    [
      'a UTF-8 text that has lost a byte',
      'utf-8',
      hex('4772c3bcc39f65206175732047c33a20c3bcc3bc'),
      'Grüße aus G\ufffd: üü',
    ],
    ['Latin 1 under utf-8', 'utf-8', latin1('Gr\xfc\xdfe aus K\xf6ln'), 'Grüße aus Köln'],
    ['Latin 1 under us-ascii', 'us-ascii', latin1('Gr\xfc\xdfe'), 'Grüße'],
    ['Latin 1 without a label', undefined, latin1('Gr\xfc\xdfe'), 'Grüße'],
    ['Latin 1 under gb2312', 'gb2312', latin1('d\xe9j\xe0 vu \xe0 Nîmes'), 'déjà vu à Nîmes'],
    ['Latin 2', 'iso-8859-2', hex('50f86ff8b1'), 'Přořą'],
    ['Latin 9', 'ISO-8859-15', hex('a43530'), '€50'],
    ['windows-1250 with another name', 'cp-1250', hex('9aе8'.replace('е', 'e')), 'šč'],
    ['"Да" in windows-1251', undefined, hex('c4e0'), 'Да'],
    ['"да" in windows-1251', 'us-ascii', hex('e4e0'), 'да'],
    ['"Нет" in koi8-r', undefined, hex('eec5d4'), 'Нет'],
    [
      'windows-1251 under iso-8859-1',
      'iso-8859-1',
      hex('cff0e8e2e5f22120cae0ea20e4e5ebe03f'),
      'Привет! Как дела?',
    ],
    ['koi8-u', 'koi8-u', hex('f0d2c9d7a6d4'), 'Привіт'],
    ['Greek', 'iso-8859-7', hex('cae1ebe7ecddf1e1'), 'Καλημέρα'],
    ['Hebrew in the order of its letters', 'iso-8859-8-i', hex('f9ece5ed'), 'שלום'],
    ['Arabic', 'windows-1256', hex('e3d1cdc8c7'), 'مرحبا'],
    ['Turkish', 'iso-8859-9', hex('fdfefd6b2067f6f0fc73'), 'ışık göğüs'],
    ['Baltic', 'windows-1257', hex('4ce06b61'), 'Ląka'],
    ['Thai', 'tis-620', hex('c5ba'), 'ลบ'],
    ['Vietnamese', 'windows-1258', hex('44f2'), 'D\u0323'],
    ['Shift_JIS', 'x-sjis', hex('82b182f182c982bf82cd'), 'こんにちは'],
    ['Shift_JIS without a label', undefined, hex('82b182f182c982bf82cd'), 'こんにちは'],
    ['EUC-JP', 'x-euc-jp', hex('a4b3a4f3a4cba4c1a4cf'), 'こんにちは'],
    ['ISO-2022-JP without a label', undefined, hex('1b2442243324731b2842'), 'こん'],
    ['ISO-2022-JP under us-ascii', 'us-ascii', hex('1b2442243324731b2842'), 'こん'],
    ['GB 18030', 'gb18030', hex('c4e3bac3'), '你好'],
    ['GBK under gb2312', 'gb2312', hex('e946'), '镕'],
    ['Big5', 'big5', hex('a741a66e'), '你好'],
    ['EUC-KR', 'ks_c_5601-1987', hex('bec8b3e7'), '안녕'],
    ['ISO-2022-KR', 'iso-2022-kr', latin1('\x1b$)CHi \x0e>H3g\x0f!'), 'Hi 안녕!'],
    ['HZ', 'hz-gb-2312', latin1('Hi ~{Dc:C~}!'), 'Hi 你好!'],
    ['UTF-7', 'utf-7', latin1('Gr+APwA3w-e, 1 +- 1'), 'Grüße, 1 + 1'],
    [
      'UTF-7 whose run ends with the line',
      'unicode-1-1-utf-7',
      latin1('Gr+APwA3w\r\ne C++ a+b'),
      'Grüß\r\ne C++ a+b',
    ],
    ['UTF-7 that writes every sign', 'x-unicode-2-0-utf-7', latin1('+ADw-b+AD4 x+ACE'), '<b> x!'],
    ['UTF-16 with a byte order mark', 'utf-16', hex('feff004700fc'), 'Gü'],
    ['UTF-16 without one', 'utf-16', hex('4700fc00'), 'Gü'],
    ['UTF-16 of the other order without one', 'utf-16', hex('004700fc'), 'Gü'],
    ['ASCII under utf-16', 'utf-16', latin1('Hello there'), 'Hello there'],
    ['code page 850', 'ibm850', hex('4772819a'), 'GrüÜ'],
    ['code page 437', 'cp437', hex('477281e165'), 'Grüße'],
    ['code page 866', 'cp866', hex('8fe0a8a2a5e2'), 'Привет'],
    ['a label between quotation marks', '"utf-8"', utf8('ü'), 'ü'],
  ]
  for (const [what, label, bytes, text] of rows)
    it(`is found in ${what}`, () => equal(decodeText(bytes, label).text, text))
})
