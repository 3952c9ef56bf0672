import type { FlowFacts } from '#domain/flow/session.ts'

/** Facts of an ordinary conversation: within opening hours, on a channel without buttons. */
export const FLOW_FACTS: FlowFacts = {
  values: { name: 'Maria', firstName: 'Maria' },
  isOpen: true,
  absence: '',
  channel: { type: 'lab', buttons: null, list: null, isWritable: true },
  tagIds: [],
  isFirstTicket: false,
  people: [],
}
