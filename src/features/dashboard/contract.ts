import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { epochMs } from '#kit/fields.ts'
import * as at from './addresses.ts'

const count = z.number().int()

/** The panel's live figures. */
export const dashboard = contract(at.dashboard, {
  live: {
    summary: 'Painel ao vivo: a empresa inteira para quem a vê; para os demais, os atendimentos que veem',
    returns: z.object({
      /** Whether the figures are the whole company's. */
      isWide: z.boolean(),
      /** Open conversations, groups aside, as in the tab of the attendance. */
      open: count,
      /** Pending conversations, groups aside, as in the tab of the attendance. */
      pending: count,
      /** Open and pending tickets, groups too, whose customer has had the last word. */
      waiting: count,
      /** The one of them that waits longest, and since when. */
      longestWait: z.object({ ticketId: count, status: z.enum(['open', 'pending']), since: epochMs }).nullable(),
      /** Tickets closed since midnight in the company's zone, and closed still. */
      closedToday: count,
      /** Messages of customers since midnight in the company's zone. */
      receivedToday: count,
      /** Messages of the team and its automations since midnight that the channel has taken; notes aside. */
      sentToday: count,
      /** Open and pending conversations, groups aside, by queue, the fullest first; queues without any are left out. */
      queues: z.array(z.object({ id: count.nullable(), name: z.string().nullable(), open: count, pending: count })),
      /** Active users who are online, by name, at most 60; `open` are their open tickets, where the company is seen whole. */
      online: z.array(z.object({ id: count, name: z.string(), open: count.nullable() })),
      onlineCount: count,
    }),
  },
})

/** The figures, as a browser reads them. */
export type LiveFigures = z.output<typeof dashboard.live.returns>

declare module '#kit/contract.ts' {
  interface Contracts {
    dashboard: typeof dashboard
  }
}
