import { comparedForm, domainOf } from './addresses.ts'

// Domains under which providers give mailboxes to anybody, so that two addresses of one domain have nothing in common.

const domains = new Set(
  `gmail.com googlemail.com outlook.com outlook.de outlook.fr outlook.es outlook.it hotmail.com hotmail.co.uk hotmail.fr hotmail.de
  hotmail.it hotmail.es live.com live.de live.fr live.co.uk live.nl msn.com yahoo.com yahoo.co.uk yahoo.de yahoo.fr yahoo.es yahoo.it
  yahoo.co.jp yahoo.co.in yahoo.com.br ymail.com rocketmail.com aol.com aim.com icloud.com me.com mac.com gmx.de gmx.net gmx.at gmx.ch
  gmx.com web.de t-online.de freenet.de arcor.de mail.de posteo.de mailbox.org proton.me protonmail.com protonmail.ch pm.me tutanota.com
  tutanota.de tuta.io tuta.com keemail.me fastmail.com fastmail.fm hey.com zoho.com zohomail.com zohomail.eu mail.com email.com
  orange.fr wanadoo.fr free.fr laposte.net sfr.fr neuf.fr bbox.fr libero.it virgilio.it tiscali.it alice.it tin.it inwind.it
  telefonica.net terra.es terra.com.br uol.com.br bol.com.br sapo.pt wp.pl o2.pl onet.pl op.pl interia.pl gazeta.pl seznam.cz email.cz
  centrum.cz ziggo.nl kpnmail.nl planet.nl hetnet.nl xs4all.nl telenet.be skynet.be bluewin.ch telia.com online.no
  yandex.ru yandex.com yandex.by yandex.kz yandex.com.tr ya.ru mail.ru inbox.ru list.ru bk.ru rambler.ru ukr.net i.ua qq.com foxmail.com
  163.com 126.com yeah.net sina.com sina.cn sohu.com aliyun.com naver.com daum.net hanmail.net docomo.ne.jp ezweb.ne.jp au.com
  softbank.ne.jp nifty.com biglobe.ne.jp comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net btinternet.com
  sky.com virginmedia.com ntlworld.com blueyonder.co.uk talktalk.net bigpond.com optusnet.com.au shaw.ca rogers.com sympatico.ca
  rediffmail.com mailinator.com`.split(/\s+/),
)

/** Whether anybody may have an address of this domain, which is in small letters. */
export const isPublicDomain = (domain: string): boolean => domains.has(domain)

/** Whether two addresses are the same, or of one house: of a domain under which not everybody may have one. */
export function isOneHouse(one: string, other: string): boolean {
  const [first = '', second = ''] = [one, other].map(comparedForm)
  const domain = domainOf(first)
  return first === second || (domain === domainOf(second) && !isPublicDomain(domain))
}
