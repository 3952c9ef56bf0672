import { useRef, useState } from 'react'
import type { Address } from '#kit/addresses.ts'
import { attempt } from '../attempt.ts'
import { callAny, queryClient } from '../client.ts'

/** Manual order of rows, applied at once; `move` puts a row at another position, and saves the order. */
export function useOrder<Row extends { id: number }>(
  { arrange, family }: { arrange: Address | undefined; family: string },
  rows: readonly Row[],
) {
  const [wanted, setWanted] = useState<readonly number[] | null>(null)
  const turn = useRef(0)
  const rankOf = ({ id }: Row) => wanted?.indexOf(id) ?? -1
  const shown = wanted ? rows.toSorted((a, b) => rankOf(a) - rankOf(b)) : rows
  const move = async (id: number, to: number) => {
    const ids = shown.map((row) => row.id)
    const from = ids.indexOf(id)
    if (!arrange || from < 0 || to < 0 || to >= ids.length || from === to) return
    ids.splice(to, 0, ...ids.splice(from, 1))
    setWanted(ids)
    turn.current += 1
    const mine = turn.current
    const moved = ids.slice(Math.min(from, to), Math.max(from, to) + 1)
    await attempt(() => callAny(arrange, { body: { ids: moved } }, { quiet: true }))
    await queryClient.invalidateQueries({ queryKey: [family] })
    if (turn.current === mine) setWanted(null)
  }
  return { shown, move }
}
