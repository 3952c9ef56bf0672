import { z } from 'zod'
import { bulkAnswer, undone } from '#kit/bulk.ts'
import { contract } from '#kit/contract.ts'
import { uuid } from '#kit/fields.ts'
import * as at from './addresses.ts'

const params = z.object({ id: uuid })

/** API contract of bulk operations: state and undo. Visible to their author and administrators. */
export const bulk = contract(at.bulk, {
  get: {
    summary: 'Andamento de uma ação em lote',
    params,
    returns: bulkAnswer,
    errors: ['ERR_NO_BULK_FOUND'],
  },
  undo: {
    summary: 'Desfazer uma ação em lote; o que outra pessoa alterou depois fica como está',
    mode: 'slow',
    params,
    returns: undone,
    errors: ['ERR_NO_BULK_FOUND', 'ERR_UNDO_EXPIRED'],
  },
  pause: {
    summary: 'Pausar uma ação em lote',
    params,
    returns: bulkAnswer,
    errors: ['ERR_NO_BULK_FOUND', 'ERR_BULK_STATE'],
  },
  resume: {
    summary: 'Continuar uma ação em lote pausada',
    params,
    returns: bulkAnswer,
    errors: ['ERR_NO_BULK_FOUND', 'ERR_BULK_STATE'],
  },
  cancel: {
    summary: 'Parar uma ação em lote; o que já foi feito pode ser desfeito',
    params,
    returns: bulkAnswer,
    errors: ['ERR_NO_BULK_FOUND', 'ERR_BULK_STATE'],
  },
})

declare module '#kit/contract.ts' {
  interface Contracts {
    bulk: typeof bulk
  }
}
