import { useQuery } from '@tanstack/react-query'
import type { CallInput, Operation, OperationSpec } from '#kit/contract.ts'
import { query } from '../client.ts'

/** The row that a form opens for, as it is now: nothing is kept of it when the form closes. 'novo' reads none. */
export const useRow = <O extends Operation<OperationSpec>>(op: O, id: string) =>
  useQuery({
    ...query(op, { params: { id: Number(id) } } as unknown as CallInput<O>),
    enabled: id !== 'novo',
    staleTime: 0,
    gcTime: 0,
  })
