import { deepEqual } from 'node:assert/strict'
import { occurrencesIn } from '../../../rules/calendar/events.ts'

// Events as other calendar programs write them. The zone of the workspace is Berlin's; that of the machine is any.

const window = { from: new Date('2026-11-01T00:00:00Z'), to: new Date('2027-06-01T00:00:00Z') }
const machines = ['UTC', 'America/New_York', 'Europe/Berlin', 'Pacific/Kiritimati']

const calendar = (events: string[][], before: string[] = []) =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', ...before],
    ...events.flatMap((lines) => ['BEGIN:VEVENT', 'UID:a', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
  ].join('\r\n')

const shownIn = (text: string) =>
  occurrencesIn(text, window, 'Europe/Berlin')
    .map(({ startsAt, endsAt }) => `${short(startsAt)} ${(+endsAt - +startsAt) / 60_000}`)
    .sort()
const short = (at: Date) => at.toISOString().slice(0, 16)

const rulesOf = (name: string, standard: string, daylight?: string) => [
  ...['BEGIN:VTIMEZONE', `TZID:${name}`, 'BEGIN:STANDARD', 'DTSTART:16011028T030000'],
  ...[`TZOFFSETFROM:${daylight ?? standard}`, `TZOFFSETTO:${standard}`],
  ...(daylight ? ['RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10'] : []),
  'END:STANDARD',
  ...(daylight
    ? [
        ...['BEGIN:DAYLIGHT', 'DTSTART:16010325T020000', `TZOFFSETFROM:${standard}`],
        ...[`TZOFFSETTO:${daylight}`, 'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3', 'END:DAYLIGHT'],
      ]
    : []),
  'END:VTIMEZONE',
]

const at = (start: string, end = start.replace('T10', 'T11')) => [`DTSTART${start}`, `DTEND${end}`]

const cases: Record<string, [text: string, ...occurrences: string[]]> = {
  'a time without a zone': [calendar([at(':20261125T100000')]), '2026-11-25T09:00 60'],
  'a time without a zone that the clocks of New York skip': [
    calendar([['DTSTART:20270314T023000', 'DTEND:20270314T033000']]),
    '2027-03-14T01:30 60',
  ],
  'a time without a zone that the clocks of the workspace skip': [
    calendar([['DTSTART:20270328T023000', 'DURATION:PT30M']]),
    '2027-03-28T01:30 30',
  ],
  'a time without a zone beside the rules of one': [
    calendar([at(':20261125T100000')], rulesOf('Europe/Athens', '+0200', '+0300')),
    '2026-11-25T08:00 60',
  ],
  'a zone that nobody knows': [
    calendar([at(';TZID=Foo/Bar:20261125T100000')]),
    '2026-11-25T09:00 60',
  ],
  'a zone that nobody knows, whose rules are in the file': [
    calendar([at(';TZID=Foo/Bar:20261125T100000')], rulesOf('Foo/Bar', '-0500', '-0400')),
    '2026-11-25T15:00 60',
  ],
  'a zone that nobody knows, whose rules come after the event': [
    calendar([at(';TZID=Foo:20261125T100000')]).replace(
      'END:VCALENDAR',
      [...rulesOf('Foo', '+0530'), 'END:VCALENDAR'].join('\r\n'),
    ),
    '2026-11-25T04:30 60',
  ],
  "a zone of Outlook's own, with rules": [
    calendar(
      [at(';TZID=Customized Time Zone:20261125T100000')],
      rulesOf('Customized Time Zone', '+0200', '+0300'),
    ),
    '2026-11-25T08:00 60',
  ],
  "a zone of Outlook's own, without rules": [
    calendar([at(';TZID=tzone://Microsoft/Custom:20261125T100000')]),
    '2026-11-25T09:00 60',
  ],
  "Outlook's name of UTC": [
    calendar([at(';TZID=tzone://Microsoft/Utc:20261125T100000')]),
    '2026-11-25T10:00 60',
  ],
  "Windows' name of a zone": [
    calendar([at(';TZID="Pacific Standard Time":20261125T100000')]),
    '2026-11-25T18:00 60',
  ],
  'the name that Outlook shows': [
    calendar([at(';TZID="(UTC+01:00) Amsterdam, Berlin, Bern":20261125T100000')]),
    '2026-11-25T09:00 60',
  ],
  'an offset for a name': [calendar([at(';TZID=GMT-0430:20261125T100000')]), '2026-11-25T14:30 60'],
  'a name behind the path of a program': [
    calendar([
      at(';TZID=/freeassociation.sourceforge.net/Tzfile/America/New_York:20261125T100000'),
    ]),
    '2026-11-25T15:00 60',
  ],
  'a day': [
    calendar([['DTSTART;VALUE=DATE:20261125', 'DTEND;VALUE=DATE:20261127']]),
    '2026-11-24T23:00 2880',
  ],
  'a time without seconds': [
    calendar([['DTSTART;TZID=Europe/Lisbon:20261125T1000', 'DURATION:PT1H']]),
    '2026-11-25T10:00 60',
  ],
  'listed dates without a rule': [
    calendar([
      [
        ...at(';TZID=Europe/Berlin:20261125T100000'),
        'RDATE;TZID=Europe/Berlin:20261202T100000,20261209T150000',
        'RDATE:20261216T100000Z',
        'EXDATE;TZID=Europe/Berlin:20261202T100000',
      ],
    ]),
    ...['2026-11-25T09:00 60', '2026-12-09T14:00 60', '2026-12-16T10:00 60'],
  ],
  'listed dates without a zone': [
    calendar([[...at(':20261125T100000'), 'RDATE:20261202T100000']]),
    ...['2026-11-25T09:00 60', '2026-12-02T09:00 60'],
  ],
  'listed periods': [
    calendar([
      [
        ...at(':20261125T100000Z'),
        'RDATE;VALUE=PERIOD:20261202T100000Z/PT2H,20261203T100000Z/20261203T103000Z',
      ],
    ]),
    ...['2026-11-25T10:00 60', '2026-12-02T10:00 120', '2026-12-03T10:00 30'],
  ],
  'listed days': [
    calendar([['DTSTART;VALUE=DATE:20261125', 'RDATE;VALUE=DATE:20261201']]),
    ...['2026-11-24T23:00 1440', '2026-11-30T23:00 1440'],
  ],
  'a listed date that was moved': [
    calendar([
      [...at(':20261125T100000Z'), 'RDATE:20261202T100000Z'],
      ['RECURRENCE-ID:20261202T100000Z', ...at(':20261203T100000Z')],
    ]),
    ...['2026-11-25T10:00 60', '2026-12-03T10:00 60'],
  ],
  'listed dates beside a rule': [
    calendar([
      [
        ...at(':20261125T100000Z'),
        'RRULE:FREQ=WEEKLY;COUNT=2',
        'RDATE:20261202T100000Z,20261204T100000Z',
      ],
    ]),
    ...['2026-11-25T10:00 60', '2026-12-02T10:00 60', '2026-12-04T10:00 60'],
  ],
  'single occurrences of a series that is not there': [
    calendar([
      ['RECURRENCE-ID:20261202T100000Z', ...at(':20261202T100000Z')],
      ['RECURRENCE-ID:20261209T100000Z', ...at(':20261209T110000Z', ':20261209T120000Z')],
    ]),
    ...['2026-12-02T10:00 60', '2026-12-09T11:00 60'],
  ],
  'a change for this and all following, over a change of clocks': [
    calendar([
      [...at(';TZID=Europe/Berlin:20270311T100000'), 'RRULE:FREQ=WEEKLY;COUNT=5'],
      [
        'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20270318T100000',
        ...['DTSTART;TZID=Europe/Berlin:20270319T140000', 'DURATION:PT30M'],
      ],
      ['RECURRENCE-ID;TZID=Europe/Berlin:20270401T100000', ...at(':20270401T100000Z')],
    ]),
    ...['2027-03-11T09:00 60', '2027-03-19T13:00 30', '2027-03-26T13:00 30', '2027-04-01T10:00 60'],
    '2027-04-09T12:00 30',
  ],
  'a cancellation of this and all following': [
    calendar([
      [...at(':20261125T100000Z'), 'RRULE:FREQ=WEEKLY'],
      [
        'RECURRENCE-ID;RANGE=THISANDFUTURE:20261209T100000Z',
        ...[...at(':20261209T100000Z'), 'STATUS:CANCELLED'],
      ],
    ]),
    ...['2026-11-25T10:00 60', '2026-12-02T10:00 60'],
  ],
  'the first of two times of a day': [
    calendar([['DTSTART;TZID=America/New_York:20261101T013000', 'DURATION:PT1H']]),
    '2026-11-01T05:30 60',
  ],
  'an exception in another zone': [
    calendar([
      [
        ...at(';TZID=Europe/Berlin:20261125T100000'),
        ...['RRULE:FREQ=WEEKLY;COUNT=4', 'EXDATE;TZID=America/New_York:20261202T040000'],
        'EXDATE:20261209T090000Z',
      ],
    ]),
    ...['2026-11-25T09:00 60', '2026-12-16T09:00 60'],
  ],
  'exceptions in a zone of Windows, in one line': [
    calendar([
      [
        ...at(';TZID=Europe/Berlin:20261125T100000'),
        'RRULE:FREQ=WEEKLY;COUNT=4',
        'EXDATE;TZID="W. Europe Standard Time":20261202T100000,20261209T100000',
      ],
    ]),
    ...['2026-11-25T09:00 60', '2026-12-16T09:00 60'],
  ],
  'an exception without a zone, of a series without one': [
    calendar([
      [...at(':20261125T100000'), ...['RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE:20261202T100000']],
    ]),
    ...['2026-11-25T09:00 60', '2026-12-09T09:00 60'],
  ],
  'an exception that names a day alone': [
    calendar([
      [
        ...at(';TZID=Europe/Berlin:20261125T100000'),
        ...['RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE;VALUE=DATE:20261202'],
      ],
    ]),
    ...['2026-11-25T09:00 60', '2026-12-09T09:00 60'],
  ],
  'exceptions of days': [
    calendar([
      [
        ...[
          'DTSTART;VALUE=DATE:20261125',
          'DTEND;VALUE=DATE:20261126',
          'RRULE:FREQ=WEEKLY;COUNT=3',
        ],
        'EXDATE;VALUE=DATE:20261202',
      ],
    ]),
    ...['2026-11-24T23:00 1440', '2026-12-08T23:00 1440'],
  ],
  'a changed occurrence that names its time in another zone': [
    calendar([
      [...at(';TZID=Europe/Berlin:20261125T100000'), 'RRULE:FREQ=WEEKLY;COUNT=2'],
      ['RECURRENCE-ID:20261202T090000Z', ...at(';TZID=America/New_York:20261203T100000')],
    ]),
    ...['2026-11-25T09:00 60', '2026-12-03T15:00 60'],
  ],
  'a changed day of a series of days': [
    calendar([
      ['DTSTART;VALUE=DATE:20261125', 'RRULE:FREQ=WEEKLY;COUNT=2'],
      ['RECURRENCE-ID;VALUE=DATE:20261202', 'DTSTART;VALUE=DATE:20261203'],
    ]),
    ...['2026-11-24T23:00 1440', '2026-12-02T23:00 1440'],
  ],
  'a series over a change of clocks': [
    calendar([[...at(';TZID=Europe/Berlin:20270322T100000'), 'RRULE:FREQ=WEEKLY;COUNT=2']]),
    ...['2027-03-22T09:00 60', '2027-03-29T08:00 60'],
  ],
  'a series over a change of clocks in a zone of Windows with rules': [
    calendar(
      [[...at(';TZID=W. Europe Standard Time:20270322T100000'), 'RRULE:FREQ=WEEKLY;COUNT=2']],
      rulesOf('W. Europe Standard Time', '+0100', '+0200'),
    ),
    ...['2027-03-22T09:00 60', '2027-03-29T08:00 60'],
  ],
  'a series over a change of clocks in a zone that only its rules explain': [
    calendar(
      [[...at(';TZID=Mitteleuropa:20270322T100000'), 'RRULE:FREQ=WEEKLY;COUNT=2']],
      rulesOf('Mitteleuropa', '+0100', '+0200'),
    ),
    ...['2027-03-22T09:00 60', '2027-03-29T08:00 60'],
  ],
  'a series that ends on a day': [
    calendar([[...at(';TZID=Europe/Berlin:20261125T100000'), 'RRULE:FREQ=WEEKLY;UNTIL=20261203']]),
    ...['2026-11-25T09:00 60', '2026-12-02T09:00 60'],
  ],
  'a series that ends at a time without a zone': [
    calendar([
      [...at(';TZID=Europe/Berlin:20261125T100000'), 'RRULE:FREQ=WEEKLY;UNTIL=20261202T100000'],
    ]),
    ...['2026-11-25T09:00 60', '2026-12-02T09:00 60'],
  ],
  'a series of a time without a zone': [
    calendar([[...at(':20270322T100000'), 'RRULE:FREQ=WEEKLY;COUNT=2']]),
    ...['2027-03-22T09:00 60', '2027-03-29T08:00 60'],
  ],
  'a duration of days': [
    calendar([['DTSTART;TZID=Europe/Berlin:20261125T100000', 'DURATION:P1DT2H']]),
    '2026-11-25T09:00 1560',
  ],
  'a duration of a week of days': [
    calendar([['DTSTART;VALUE=DATE:20261125', 'DURATION:P1W']]),
    '2026-11-24T23:00 10080',
  ],
  'a day without an end': [calendar([['DTSTART;VALUE=DATE:20261125']]), '2026-11-24T23:00 1440'],
  'a day that ends as it begins, as some programs write it': [
    calendar([['DTSTART;VALUE=DATE:20261125', 'DTEND;VALUE=DATE:20261125']]),
    '2026-11-24T23:00 1440',
  ],
  'a day with a zone': [
    calendar([['DTSTART;VALUE=DATE;TZID=America/New_York:20261125']]),
    '2026-11-24T23:00 1440',
  ],
  'listed periods in a zone': [
    calendar([
      [
        ...at(';TZID=Europe/Berlin:20261125T100000'),
        'RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20261202T100000/PT2H,20261203T100000/20261203T103000',
      ],
    ]),
    ...['2026-11-25T09:00 60', '2026-12-02T09:00 120', '2026-12-03T09:00 30'],
  ],
  'a zone in small letters': [
    calendar([at(';TZID=america/new_york:20261125T100000')]),
    '2026-11-25T15:00 60',
  ],
  'an old name of a zone': [
    calendar([at(';TZID=US/Eastern:20261125T100000')]),
    '2026-11-25T15:00 60',
  ],
  "a name of Mozilla's": [
    calendar([at(';TZID=/mozilla.org/20250101_1/America/New_York:20261125T100000')]),
    '2026-11-25T15:00 60',
  ],
  "a name of old Exchange's": [
    calendar([at(';TZID="(GMT-05.00) Eastern Time (US & Canada)":20261125T100000')]),
    '2026-11-25T15:00 60',
  ],
  'the name of a zone in another language, with rules': [
    calendar(
      [at(';TZID="(UTC+01:00) Amsterdam, Berlin, Bern, Rom, Stockholm, Wien":20261125T100000')],
      rulesOf('(UTC+01:00) Amsterdam, Berlin, Bern, Rom, Stockholm, Wien', '+0100', '+0200'),
    ),
    '2026-11-25T09:00 60',
  ],
  "Windows' name of a zone, in winter and in summer": [
    calendar([
      [...at(';TZID=Eastern Standard Time:20270305T100000'), 'RRULE:FREQ=MONTHLY;COUNT=2'],
    ]),
    ...['2027-03-05T15:00 60', '2027-04-05T14:00 60'],
  ],
}

describe('an event of another calendar program', () => {
  const own = process.env.TZ
  afterEach(() => {
    if (own === undefined) delete process.env.TZ
    else process.env.TZ = own
  })

  for (const [what, [text, ...occurrences]] of Object.entries(cases))
    it(`has ${what}, whatever the zone of this machine`, () => {
      for (const machine of machines) {
        process.env.TZ = machine
        deepEqual(shownIn(text), occurrences, machine)
      }
    })
})
