// Hosts that lead to this machine, its networks or nowhere, in the spellings in which attackers give them; and public ones.

const numbers = [
  ...['127.0.0.1', '127.0.1.1', '127.1.2.3', '127.255.255.254', '0.0.0.0', '0.0.0.1', '0.255.1.2'],
  ...['10.0.0.1', '10.1.2.3', '10.128.0.7', '10.255.255.254', '172.16.0.1', '172.20.10.2'],
  ...['172.31.255.254', '192.168.0.1', '192.168.1.1', '192.168.100.20', '192.168.255.254'],
  ...['169.254.169.254', '169.254.0.1', '169.254.170.2', '169.254.255.254', '168.63.129.16'],
  ...['100.64.0.1', '100.100.100.200', '100.127.255.254', '192.0.0.1', '192.0.0.192', '192.0.2.1'],
  ...['192.88.99.1', '198.18.0.1', '198.19.255.254', '198.51.100.7', '203.0.113.9', '224.0.0.1'],
  ...['239.255.255.250', '240.0.0.1', '250.1.2.3', '255.255.255.255'],
  ...Array.from({ length: 50 }, (_, i) => `10.${i * 5}.${(i * 37) % 256}.${(i * 91 + 1) % 256}`),
  ...Array.from({ length: 20 }, (_, i) => `127.${i}.${(i * 53) % 256}.${(i * 17 + 1) % 256}`),
  ...Array.from({ length: 20 }, (_, i) => `192.168.${i * 12}.${(i * 29 + 3) % 256}`),
  ...Array.from({ length: 16 }, (_, i) => `172.${16 + i}.${(i * 31) % 256}.${(i * 7 + 9) % 256}`),
]

const wide = (text: string) =>
  [...text]
    .map((sign) =>
      /[0-9a-z]/i.test(sign) ? String.fromCodePoint(sign.charCodeAt(0) + 0xfee0) : sign,
    )
    .join('')
const circled = (text: string) =>
  text.replaceAll(/[1-9]/g, (digit) => String.fromCodePoint(0x2460 + Number(digit) - 1))
const hex = (n: number, digits = 1) => n.toString(16).padStart(digits, '0')
const oct = (n: number) => `0${n.toString(8)}`

/** The spellings of an IPv4 address: as a name of a host, which may stand in a URL too. */
function spellings(address: string): string[] {
  const parts = address.split('.').map(Number)
  const [a = 0, b = 0, c = 0, d = 0] = parts
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  return [
    ...[address, `${address}.`, `${a}.${b}.${c * 256 + d}`, `${a}.${(b * 256 + c) * 256 + d}`],
    ...[
      `${whole}`,
      `0x${hex(whole)}`,
      `0X${hex(whole).toUpperCase()}`,
      oct(whole),
      `0x${hex(whole, 8)}`,
    ],
    ...[parts.map((n) => `0x${hex(n)}`).join('.'), parts.map(oct).join('.')],
    ...[parts.map((n) => `00${oct(n)}`).join('.'), `0x${hex(a)}.${oct(b)}.${c}.${d}`],
    ...[`${a}.0x${hex((b * 256 + c) * 256 + d)}`, `${oct(a)}.${b}.${c * 256 + d}`],
    ...[
      wide(address),
      circled(address),
      address.replaceAll('.', '。'),
      address.replaceAll('.', '．'),
    ],
    ...[address.replaceAll('.', '｡'), wide(`${whole}`)],
  ]
}

/** IPv6 addresses in which it stands, or that are as private as it is. */
function six(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const [high, low] = [hex(a * 256 + b), hex(c * 256 + d)]
  return [
    ...[`::ffff:${address}`, `::ffff:${high}:${low}`, `0:0:0:0:0:ffff:${high}:${low}`],
    ...[`::FFFF:${address}`, `0000:0000:0000:0000:0000:ffff:${high}:${low}`, `::${address}`],
    ...[
      `::${high}:${low}`,
      `64:ff9b::${high}:${low}`,
      `64:ff9b::${address}`,
      `64:ff9b:1::${high}:${low}`,
    ],
    ...[`2002:${high}:${low}::`, `2002:${high}:${low}::1`, `2001:0:${high}:${low}::1`],
    ...[`2001::${hex(0xffff - (a * 256 + b))}:${hex(0xffff - (c * 256 + d))}`],
    ...[`fe80::${high}:${low}`, `fc00::${high}:${low}`, `fd12:3456::${high}:${low}`],
    ...[`::ffff:0:${high}:${low}`, `ff02::${high}:${low}`, `2001:db8::${high}:${low}`],
  ]
}

const names = [
  ...['localhost', 'LOCALHOST', 'localhost.', 'LocalHost.', 'a.localhost', 'x.y.localhost.'],
  ...['localhost.localdomain', 'ip6-localhost', 'ip6-loopback', 'broadcasthost', 'metadata'],
  ...['metadata.google.internal', 'metadata.google.internal.', 'METADATA.google.INTERNAL'],
  ...['instance-data', 'instance-data.ec2.internal', 'ip-10-0-0-1.eu-west-1.compute.internal'],
  ...['kubernetes', 'kubernetes.default', 'kubernetes.default.svc.cluster.local', 'db.local'],
  ...['host.docker.internal', 'gateway.docker.internal', 'router.lan', 'nas.home', 'fritz.box.lan'],
  ...[
    'intranet',
    'mail.intranet',
    'mail.corp',
    'mail.private',
    'printer.home.arpa',
    'mail',
    'smtp',
  ],
  ...[wide('localhost'), 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'localhost。', 'a。localhost', 'metadata。google。internal'],
  ...Array.from({ length: 60 }, (_, i) => `svc-${i}.team-${i % 7}.internal`),
  ...Array.from(
    { length: 60 },
    (_, i) => `host${i}.${['local', 'lan', 'corp', 'home', 'private'][i % 5]}`,
  ),
]

/** What is no host at all, where a host is asked for. */
const none = [
  ...['fe80::1%eth0', '::1%lo', '[fe80::1%25eth0]', '[::1%25lo]', 'example.com@127.0.0.1'],
  ...[
    'user:pass@10.0.0.1',
    '127.0.0.1:25',
    '127.0.0.1/',
    'http://127.0.0.1',
    '127.0.0.1#example.com',
  ],
  ...[
    '127.0.0.1?example.com',
    '127.0.0.1\\example.com',
    'exam ple.com',
    '127.0.0.1\t',
    '256.0.0.1',
  ],
  ...['1.2.3.4.5', '0x100000000', '..', '-', '[', '[]', '[::1', '%31%32%37.0.0.1'],
]

/** Hosts that no customer may name. */
export const privateHosts = (): string[] => [
  ...new Set([...numbers.flatMap((one) => [...spellings(one), ...six(one)]), ...names, ...none]),
]

/** Hosts that are on the internet, by what is written. */
export const publicHosts = [
  ...['1.1.1.1', '93.184.216.34', '172.32.0.1', '168.63.129.15', '0x01010101', '16843009'],
  ...['1.1', '2606:4700::1111', '::ffff:1.1.1.1', wide('1.1.1.1'), '100.63.255.255', '11.0.0.1'],
]

/** The same in addresses of the web, with what only these can have. */
export function inUrls(hosts: string[], port: number): string[] {
  const at = (host: string) =>
    `http://${/^[\da-f:.]*:[\da-f:.]*$/i.test(host) ? `[${host}]` : host}:${port}/hook`
  return hosts.flatMap((host, i) => [
    at(host),
    ...(i % 10 === 0
      ? [`http://example.com@${host}:${port}/`, `http://example.com:x@${host}/`]
      : []),
  ])
}
