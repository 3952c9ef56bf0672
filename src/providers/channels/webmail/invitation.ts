/** Unfolds the lines of a calendar (RFC 5545). */
const unfolded = (calendar: string): string => calendar.replace(/\r?\n[ \t]/g, '')

const METHODS: Readonly<Record<string, string>> = {
  REQUEST: 'Convite',
  PUBLISH: 'Evento',
  CANCEL: 'Evento cancelado',
  REPLY: 'Resposta a um convite',
  COUNTER: 'Nova proposta de horário',
}
const ANSWERS: Readonly<Record<string, string>> = {
  ACCEPTED: 'aceito',
  DECLINED: 'recusado',
  TENTATIVE: 'talvez',
}

/** Converts the first event of a calendar file into text; '' if there is none. */
export function textOfInvitation(calendar: string): string {
  const [, begun = ''] = unfolded(calendar).split(/BEGIN:VEVENT/i, 2)
  const [event = ''] = begun.split(/END:VEVENT/i, 1)
  if (event === '') return ''
  const method = calendar.match(/^METHOD:(\w+)/im)?.[1]?.toUpperCase() ?? 'PUBLISH'
  const property = (name: string) => event.match(new RegExp(`^${name}((?:;[^:\\r\\n\\u2028\\u2029]*)?):(.*)$`, 'im'))
  const text = (name: string) =>
    (property(name)?.[2] ?? '')
      .replace(/\\n/gi, ' ')
      .replace(/\\([,;\\])/g, '$1')
      .trim()
      .slice(0, 300)
  const answer = event.match(/PARTSTAT=(\w+)/i)?.[1]?.toUpperCase() ?? ''
  const title = METHODS[method] ?? 'Evento'
  const named = method === 'REPLY' && ANSWERS[answer] ? `${title} (${ANSWERS[answer]})` : title
  const time = timeOf(property('DTSTART'))
  return [
    `${named}: ${text('SUMMARY') || 'sem título'}`,
    time && `Quando: ${time}`,
    text('LOCATION') && `Onde: ${text('LOCATION')}`,
  ]
    .filter(Boolean)
    .join('\n')
}

// Kept as written: its time zone is shown beside it, not converted.
function timeOf(start: RegExpMatchArray | null): string {
  const [, year, month, day, hour, minute, utc] =
    start?.[2]?.trim().match(/^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d\d(Z)?)?/) ?? []
  if (!year) return ''
  const date = `${day}/${month}/${year}`
  if (!hour) return date
  const zone = utc ? ' (UTC)' : start?.[1]?.match(/TZID="?([^;":]+)/i)?.[1]
  return `${date}, ${hour}:${minute}${zone ? (utc ? zone : ` (${zone})`) : ''}`
}
