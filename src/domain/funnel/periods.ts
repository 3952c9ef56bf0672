/** Named periods that filter the funnel's lists. */
export const PERIODS = ['hoje', '7dias', '30dias', '90dias', 'mes_atual', 'mes_anterior'] as const

/** Named period. */
export type Period = (typeof PERIODS)[number]

const iso = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Returns the first and last day of a period as `YYYY-MM-DD`, both inclusive, with `today` as the present day. */
export function periodDays(period: Period, today: string): { readonly from: string; readonly to: string } {
  const [year = 0, month = 1, day = 1] = today.split('-').map(Number)
  const at = (months: number, days: number) => iso(Date.UTC(year, month - 1 + months, days))
  switch (period) {
    case 'hoje':
      return { from: today, to: today }
    case '7dias':
      return { from: at(0, day - 6), to: today }
    case '30dias':
      return { from: at(0, day - 29), to: today }
    case '90dias':
      return { from: at(0, day - 89), to: today }
    case 'mes_atual':
      return { from: at(0, 1), to: at(1, 0) }
    case 'mes_anterior':
      return { from: at(-1, 1), to: at(0, 0) }
  }
}
