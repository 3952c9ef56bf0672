import { idOf } from '../json.ts'
import { effect } from '../run.ts'
import type { NodeKind } from './kind.ts'

declare module '../flow.ts' {
  interface Interactions {
    reason: { readonly reasonId: number | null }
  }
}

declare module '../session.ts' {
  interface Effects {
    reason: { readonly reasonId: number }
  }
}

/** Sets the ticket's reason. */
export const reason: NodeKind<'reason'> = {
  types: {
    ReasonsField: { label: 'Motivo', form: [{ key: 'reasonId', also: ['reason'], kind: 'reason', label: 'Motivo' }] },
  },
  read: (fields) => ({ reasonId: idOf(fields['reasonId'] ?? fields['reason']) }),
  check: ({ reasonId }, { reasonIds }) =>
    reasonId !== null && reasonIds.has(reasonId) ? [] : [['deletedReason', 'usa um motivo que não existe.']],
  perform(run, { reasonId }) {
    if (reasonId !== null) effect(run, { type: 'reason', reasonId })
  },
}
