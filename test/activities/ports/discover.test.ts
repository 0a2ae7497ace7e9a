import { deepEqual, equal } from 'node:assert/strict'
import { type Ask, discover } from '../../../activities/ports/mail/discover.ts'

// What name servers and hosts answer is made up here, by name; nothing else is asked.

type Answers = {
  mx?: Record<string, string[]>
  srv?: Record<string, [name: string, port: number][]>
  documents?: Record<string, string>
}

function answering({ mx = {}, srv = {}, documents = {} }: Answers) {
  const asked: string[] = []
  const ask: Ask = {
    async mx(domain) {
      asked.push(domain)
      return (mx[domain] ?? []).map((exchange, n) => ({ exchange, priority: n }))
    },
    async srv(name) {
      asked.push(name)
      return (srv[name] ?? []).map(([host, port]) => ({ name: host, port, priority: 0, weight: 0 }))
    },
    async document(url) {
      asked.push(url)
      return documents[url]
    },
  }
  return { ask, asked }
}

const found = async (account: string, answers: Answers = {}) => {
  const it = await discover(account, answering(answers).ask)
  if (!it) return undefined
  const { source, smtp, imap, provider, unexpected } = it
  const at = (one: typeof smtp) => one && `${one.host}:${one.port}${one.secure ? '' : ' STARTTLS'}`
  return [source, at(smtp), at(imap), provider?.id, unexpected]
}

describe('the servers of a mailbox', () => {
  it('are those of its provider, by the domain, and nobody is asked', async () => {
    const { ask, asked } = answering({})
    const it = await discover('ana@gmail.com', ask)
    deepEqual(
      [it?.provider?.id, it?.provider?.oauth, it?.imap?.user],
      ['google', 'google', 'ana@gmail.com'],
    )
    deepEqual(asked, [])
    const ids = ['ana@outlook.de', 'ana@icloud.com', 'ana@yahoo.de', 'ana@gmx.de', 'ana@web.de']
    deepEqual(await Promise.all(ids.map(async (one) => (await discover(one, ask))?.provider?.id)), [
      'microsoft',
      'apple',
      'yahoo',
      'gmx',
      'webde',
    ])
  })

  it('are those of the provider that takes the mail of its domain', async () => {
    const mx: Record<string, string[]> = {
      'a.example': ['aspmx.l.google.com.', 'alt1.aspmx.l.google.com'],
      'b.example': ['b-example.mail.protection.outlook.com'],
      'c.example': ['mx00.kundenserver.de'],
      'd.example': ['smtpin.rzone.de'],
      'e.example': ['mx1.mail.ovh.net'],
      'f.example': ['spool.mail.gandi.net'],
      'g.example': ['in1-smtp.messagingengine.com'],
      'h.example': ['mx.zoho.eu'],
      'i.example': ['mx.elsewhere.example'],
      'j.example': ['notgoogle.com'],
    }
    const providers = await Promise.all(
      Object.keys(mx).map(async (domain) => (await found(`ana@${domain}`, { mx }))?.[3]),
    )
    deepEqual(providers, [
      'google',
      'microsoft',
      'ionos',
      'strato',
      'ovh',
      'gandi',
      'fastmail',
      'zoho-eu-work',
      undefined,
      undefined,
    ])
  })

  it('are those that its domain names in SRV records, with TLS from the first byte where it is offered', async () => {
    const srv: Answers['srv'] = {
      '_imaps._tcp.firm.example': [['mail.firm.example.', 993]],
      '_imap._tcp.firm.example': [['mail.firm.example', 143]],
      '_submissions._tcp.firm.example': [['.', 0]],
      '_submission._tcp.firm.example': [['mail.firm.example', 587]],
    }
    deepEqual(await found('ana@firm.example', { srv }), [
      'srv',
      'mail.firm.example:587 STARTTLS',
      'mail.firm.example:993',
      undefined,
      [],
    ])
  })

  it('are told from those of a host that its owner has to see first', async () => {
    const srv: Answers['srv'] = {
      '_imaps._tcp.firm.example': [['imap.other.example', 993]],
      '_submissions._tcp.firm.example': [['smtp.gandi.net.firm.example.evil.example', 465]],
    }
    deepEqual((await found('ana@firm.example', { srv }))?.[4], [
      'smtp.gandi.net.firm.example.evil.example',
      'imap.other.example',
    ])
    const known: Answers['srv'] = {
      '_imaps._tcp.firm.example': [['mail.gandi.net', 993]],
      '_submissions._tcp.firm.example': [['mail.gandi.net', 465]],
    }
    deepEqual((await found('ana@firm.example', { srv: known }))?.[4], [])
  })

  it('are those of the MX records where SRV records are left over from another house', async () => {
    const srv: Answers['srv'] = {
      '_imaps._tcp.firm.example': [['mail.gandi.net', 993]],
      '_submissions._tcp.firm.example': [['mail.gandi.net', 465]],
    }
    const mx = { 'firm.example': ['aspmx.l.google.com'] }
    equal((await found('ana@firm.example', { srv, mx }))?.[3], 'google')
  })

  it('are not at a port that is none of mail', async () => {
    const srv: Answers['srv'] = {
      '_imaps._tcp.firm.example': [['mail.firm.example', 5432]],
      '_submissions._tcp.firm.example': [['mail.firm.example', 25]],
    }
    equal(await found('ana@firm.example', { srv }), undefined)
  })

  const document = (head = '') => `<?xml version="1.0"?>${head}
<clientConfig version="1.1"><emailProvider id="firm.example">
  <!-- <incomingServer type="imap"><hostname>old.firm.example</hostname><port>993</port></incomingServer> -->
  <incomingServer type="pop3"><hostname>pop.firm.example</hostname><port>995</port><socketType>SSL</socketType></incomingServer>
  <incomingServer type="imap"><hostname>imap.%EMAILDOMAIN%</hostname><port>143</port><socketType>plain</socketType></incomingServer>
  <incomingServer type="imap"><hostname>imap.%EMAILDOMAIN%</hostname><port>993</port><socketType>SSL</socketType>
    <username>%EMAILLOCALPART%</username></incomingServer>
  <outgoingServer type="smtp"><hostname>smtp.firm.example</hostname><port>587</port><socketType>STARTTLS</socketType>
    <username>%EMAILADDRESS%</username></outgoingServer>
</emailProvider></clientConfig>`
  const url = 'https://autoconfig.firm.example/mail/config-v1.1.xml'

  it('are those of its own autoconfig document, with the name to log in with', async () => {
    const wellKnown = 'https://firm.example/.well-known/autoconfig/mail/config-v1.1.xml'
    for (const one of [url, wellKnown]) {
      const { ask, asked } = answering({ documents: { [one]: document() } })
      const it = await discover('ana@firm.example', ask)
      deepEqual(it?.imap, {
        host: 'imap.firm.example',
        port: 993,
        secure: true,
        user: 'ana',
      })
      deepEqual(it?.smtp, {
        host: 'smtp.firm.example',
        port: 587,
        secure: false,
        user: 'ana@firm.example',
      })
      // Nothing but the domain is told.
      equal(asked.join(' ').includes('ana'), false)
    }
  })

  it('are not read from a document with a type, with entities, or that is too long', async () => {
    const bad = [
      document('<!DOCTYPE x [<!ENTITY a "b">]>'),
      document('<!doctype x>'),
      document(`<!-- ${'x'.repeat(65_536)} -->`),
      '<html><incomingServer type="imap">',
      document().replaceAll('firm.example', '127.0.0.1').replaceAll('%EMAILDOMAIN%', '127.0.0.1'),
    ]
    for (const text of bad)
      equal(await found('ana@firm.example', { documents: { [url]: text } }), undefined)
  })

  it('are none of a provider that lets no other program in, and of a domain that names none', async () => {
    deepEqual((await found('ana@proton.me'))?.slice(0, 4), ['provider', null, null, 'proton'])
    equal(await found('ana@nowhere.example'), undefined)
    equal(await found('ana@a/../b'), undefined)
  })

  it('are looked for no longer than it takes, whatever a name server does', async () => {
    const failing: Ask = {
      mx: () => Promise.reject(new Error('mx')),
      srv: () => Promise.reject(new Error('srv')),
      document: () => Promise.reject(new Error('https')),
    }
    equal(await discover('ana@firm.example', failing), undefined)
  })
})
