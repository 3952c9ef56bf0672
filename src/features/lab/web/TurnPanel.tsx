import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { assistantTurns } from '#features/assistants/addresses.ts'
import { loadAssistants } from '#features/assistants/web/index.ts'
import { query } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { Card } from '#web/ui/layout/page.tsx'
import type { Log } from './log.ts'

const Turns = lazyPart(async () => (await loadAssistants()).Turns)

/** Interval of reloading a running turn, in ms. */
const REFETCH_MS = 1500
const UNDER_WAY = ['waiting', 'claimed', 'asked', 'later']

/** Panel with the steps of the assistant in the conversation of the last message; nothing if none has attended it. */
export function TurnPanel({ log }: { log: Log }) {
  const { steps } = log.use()
  const ticketId = steps.findLast((step) => step.ticketId !== undefined)?.ticketId
  const { data, refetch } = useQuery({
    ...query(assistantTurns.list, { params: { id: ticketId ?? 0 } }),
    enabled: ticketId !== undefined,
    refetchInterval: ({ state }) =>
      state.data?.turns.some(({ status }) => UNDER_WAY.includes(status)) ? REFETCH_MS : false,
  })
  const count = steps.at(-1)?.id
  useEffect(() => {
    if (ticketId !== undefined && count !== undefined) void refetch()
  }, [ticketId, count, refetch])
  if (!data || data.turns.length === 0) return null
  return (
    <Card title={t('O que o assistente fez nesta conversa')}>
      <Turns turns={data.turns} />
    </Card>
  )
}
