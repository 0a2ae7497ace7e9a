// The same wishes in Japanese, which has no spaces between words.

const ends = /[。！？!?]|\n\s*\n/
const sentencesOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(ends)
    .map((one) => one.replace(/[\s、,「」]+/g, ''))
    .filter((one) => one !== '')

const please =
  '(?:の?手続き?を?お願い|して|を?お願い|を?希望(?:し|いた)|を?依頼|にして|させて|したい|願います|下さい|ください|てほしい|て欲しい|ていただ|て頂)'
const ending = [
  `(?:配信|送信|送付|メール|メルマガ)(?:の|を)?(?:配信|送信)?(?:を|の)?(?:停止|解除|中止|ストップ)${please}`,
  '(?:配信|送信|送付|メール|メルマガ|営業メール)を?(?:止めて|とめて|やめて|辞めて)(?:ください|下さい|ほしい|欲しい|いただ|頂)',
  '(?:送ら|送信し|配信し|お送りし|送付し|連絡し|メールし|送ってこ)ないで(?:ください|下さい|ほしい|欲しい|いただ|頂|$)',
  `(?:リスト|名簿|配信先|送信先|宛先|メーリングリスト)から.{0,12}(?:削除|外し|はずし|除外|抹消)`,
  `(?:購読|配信登録|メルマガ|メール登録|登録)(?:を|の)?(?:解除|抹消|取り?消し)${please}`,
  '今後.{0,12}(?:メール|連絡|案内|営業|配信)(?:は|を|も)?.{0,6}(?:不要|必要ありません|必要ございません|お?控え|ご?遠慮|いりません|要りません|結構です|お断り)',
  '(?:メール|営業|広告|宣伝|勧誘)(?:は|を)?(?:もう)?(?:お断り|結構です|けっこうです)',
  'メール(?:は|を)?(?:もう)?(?:いりません|要りません|受け取りたくありません|受信したくありません|欲しくありません)',
  `退会(?:したい|します|いたします|を?希望(?:し|いた)|させて|手続き?を?お願い)`,
].join('|')
// What somebody offers, asks about, or denies.
const notAsked =
  /まだ|こちら|希望(?:の方|される|する場合)|方は|場合|たら|お客様|ユーザー|顧客|率|機能|セミナー|ウェビナー|イベント|会議|しないでください.{0,3}停止|停止しないで|解除しないで|停止をしないで/
const endingPattern = new RegExp(ending, 'u')
const bare =
  /^(?:もう)?(?:やめて|止めて|辞めて)(?:ください|下さい|くれ)?$|^(?:配信停止|配信解除|配信不要|メール配信停止|停止|解除|登録解除|購読解除|退会|メール不要|メルマガ解除)(?:希望|です|をお願いします|をお願いいたします|お願いします|お願いいたします)?$/u
const polite =
  /お世話になって|お世話になり|よろしく|宜しく|です$|と申します|様$|御中$|担当者|恐れ入りますが$|こんにちは|はじめまして|ありがとう/

/** Whether a text in Japanese asks for no more letters. */
export function endsInJapanese(said: string): boolean {
  const sentences = sentencesOf(said)
  if (sentences.some((one) => !notAsked.test(one) && endingPattern.test(one))) return true
  const lines = sentencesOf(said.replaceAll('\n', '\n\n'))
  const own = lines.filter((one) => bare.test(one) || !polite.test(one))
  const [first = ''] = own
  return bare.test(first) && (own.length === 1 || said.length < longestBare)
}

// A word, and perhaps a name and a firm.
const longestBare = 60

const declining = [
  '(?:興味|関心)(?:は|が|も)?(?:特に|全く|まったく|あまり|今のところ|現在)?(?:ありません|ございません|ない(?:です)?$|ないので|ないため|なく|持って(?:い)?(?:ません|ない)|持てま)',
  '^(?:いえ|いいえ|今回は|もう|せっかくですが|申し訳(?:ありません|ございません)が|すみませんが|弊社(?:に)?は|当社(?:に)?は|私は|うちは|現在は?|今は|ありがとうございますが)*(?:結構です|けっこうです|必要ありません|必要ございません|必要ないです|不要です|要りません|いりません|間に合って(?:い|お)ります|間に合ってます)',
  '(?:弊社|当社|今回|現在|今のところ|特に|現時点).{0,12}(?:必要ありません|必要ございません|必要ない|不要です|結構です)',
  '間に合って(?:い|お)ります|見送(?:らせて|ります|りたい|ることに)|お断り(?:します|いたします|させて)|(?:今回は|誠に)?(?:ご)?遠慮(?:させて|します|いたします|しておき|しときます)|辞退(?:させて|します|いたします)',
  '(?:導入|検討|購入|利用|採用)(?:する|の)?予定(?:は|が)?(?:ありません|ございません|ない)|検討して(?:い|お)りません',
].join('|')
const decliningPattern = new RegExp(declining, 'u')
const notDeclined =
  /(?:それで|でも)結構|わけでは|訳では|ことは?ありません|お客様|顧客|ユーザー|場合|たら|れば|でした|ご?返信|ご?心配|予約/

const wanting =
  /(?:興味|関心)(?:は|が|も)?(?:とても|大変|非常に|すごく)?(?:あります|ございます|あり、?ます|ある(?:ので|ため)|持ち(?:ました|まして)|持って(?:い|お)ります)|興味深(?:い|く)(?:です|拝見|内容|ご提案|お話)|(?:ぜひ|是非).{0,12}(?:話|聞|詳|検討|お願い|伺)|詳しく(?:教えて|聞かせて|お聞き|知りたい|伺いたい|お伺い|お話)|詳細を(?:教えて|お送り|送って|知りたい)|資料を(?:送って|お送り|いただ|頂)/u
const notWanted = /ありますか|ございますか|お持ちですか|ですか$|わけでは|訳では/

/** Whether a text in Japanese refuses an offer, or takes it up. */
export function interestInJapanese(own: string): 'declined' | 'interested' | undefined {
  const sentences = sentencesOf(own)
  if (sentences.some((one) => !notDeclined.test(one) && decliningPattern.test(one)))
    return 'declined'
  if (sentences.some((one) => !notWanted.test(one) && wanting.test(one))) return 'interested'
  return undefined
}
