import { isoDay, localTime } from './local-time.ts'

/** Brazilian holiday of one year; `optional` days are not statutory, but many companies close on them. */
export type BrazilianHoliday = { readonly date: string; readonly description: string; readonly optional: boolean }

const FIXED: readonly (readonly [month: number, day: number, description: string])[] = [
  [1, 1, 'Confraternização Universal'],
  [4, 21, 'Tiradentes'],
  [5, 1, 'Dia do Trabalho'],
  [9, 7, 'Independência do Brasil'],
  [10, 12, 'Nossa Senhora Aparecida'],
  [11, 2, 'Finados'],
  [11, 15, 'Proclamação da República'],
  [11, 20, 'Dia da Consciência Negra'],
  [12, 25, 'Natal'],
]

const MOVABLE: readonly (readonly [fromEaster: number, description: string, optional: boolean])[] = [
  [-48, 'Carnaval (segunda-feira)', true],
  [-47, 'Carnaval (terça-feira)', true],
  [-46, 'Quarta-feira de Cinzas (até o meio-dia)', true],
  [-2, 'Sexta-feira Santa', false],
  [60, 'Corpus Christi', true],
]

/** Returns the national holidays and the usual optional days of a year, by date; those of states and cities are not included. */
export function brazilianHolidays(year: number): BrazilianHoliday[] {
  const fixed = FIXED.map(([month, day, description]) => ({
    date: isoDay({ year, month, day }),
    description,
    optional: false,
  }))
  const easter = easterSunday(year)
  const movable = MOVABLE.map(([days, description, optional]) => ({
    date: isoDay(localTime(easter + days * 86_400_000, 0)),
    description,
    optional,
  }))
  const since2024 = (holiday: BrazilianHoliday) => year >= 2024 || !holiday.date.endsWith('-11-20')
  return [...fixed, ...movable].filter(since2024).sort((a, b) => (a.date < b.date ? -1 : 1))
}

/** Returns Easter Sunday at midnight UTC (anonymous Gregorian computus). */
function easterSunday(year: number): number {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const corrected = century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25)
  const epact = (19 * golden + corrected + 15) % 30
  const moon = epact - Math.floor(epact / 28) * (1 - Math.floor(29 / (epact + 1)) * Math.floor((21 - golden) / 11))
  const weekday = (year + Math.floor(year / 4) + moon + 2 - century + Math.floor(century / 4)) % 7
  return Date.UTC(year, 2, 28 + moon - weekday)
}
