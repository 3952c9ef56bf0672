import { t } from '#web/t.ts'

const DAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const named = [
  t('todo domingo'),
  t('toda segunda-feira'),
  t('toda terça-feira'),
  t('toda quarta-feira'),
  t('toda quinta-feira'),
  t('toda sexta-feira'),
  t('todo sábado'),
]

/** Returns the usual repetitions of a first date (local time), as rules with display names. */
export const repeatsFrom = ({ day, weekday }: { day: number; weekday: number }) => [
  { value: '', label: t('Não repete') },
  ...[
    'FREQ=DAILY',
    'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR',
    `FREQ=WEEKLY;BYDAY=${DAYS[weekday]}`,
    day > 28 ? 'FREQ=MONTHLY;BYMONTHDAY=-1' : `FREQ=MONTHLY;BYMONTHDAY=${day}`,
  ].map((value) => ({ value, label: capital(repeatText(value)) })),
]

/** Formats a repetition for use within a sentence: “toda segunda-feira”. */
export function repeatText(rule: string): string {
  const parts = Object.fromEntries(rule.split(';').map((part) => part.split('='))) as Record<string, string>
  const { FREQ, BYDAY, BYMONTHDAY, INTERVAL, COUNT, UNTIL } = parts
  if (INTERVAL || COUNT || UNTIL) return t('repete')
  if (FREQ === 'DAILY') return t('todo dia')
  if (FREQ === 'WEEKLY' && BYDAY === 'MO,TU,WE,TH,FR') return t('de segunda a sexta')
  if (FREQ === 'WEEKLY') return named[DAYS.indexOf(BYDAY ?? '')] ?? t('toda semana')
  if (FREQ === 'MONTHLY' && BYMONTHDAY === '-1') return t('no último dia do mês')
  if (FREQ === 'MONTHLY' && BYMONTHDAY) return t('todo dia {day} do mês', { day: BYMONTHDAY })
  return FREQ === 'MONTHLY' ? t('todo mês') : t('todo ano')
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
