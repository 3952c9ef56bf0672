import {
  keepPreviousData,
  type Query,
  QueryClient,
  queryOptions,
  type RefetchOptions,
  type RefetchQueryFilters,
  type UseMutationOptions,
} from '@tanstack/react-query'
import { textFieldIn } from '#domain/keys.ts'
import { type Address, pathOf } from '#kit/addresses.ts'
import type { Answer, CallInput } from '#kit/contract.ts'
import { type CallOptions, isApiError, notifyError, request } from './api.ts'

/** The input of an operation that is known as data only. */
export type AnyInput = { params?: Record<string, unknown>; query?: object; body?: unknown }

/**
 * Query client that, when a query is invalidated during its first read, reads it again afterwards: the first answer may be
 * older than the change, and the library would take it as current. Later reads are aborted and restarted.
 */
class Queries extends QueryClient {
  readonly #behind = new WeakSet<Query>()

  override refetchQueries(filters: RefetchQueryFilters = {}, options?: RefetchOptions): Promise<void> {
    for (const first of this.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })) {
      if (first.state.data !== undefined || this.#behind.has(first)) continue
      this.#behind.add(first)
      const reread = () => {
        this.#behind.delete(first)
        void super.refetchQueries({ queryKey: first.queryKey, exact: true, type: 'active' })
      }
      first.promise?.then(reread, reread)
    }
    return super.refetchQueries(filters, options)
  }
}

/** Cache of everything read from the server, by family and operation; refused reads are not repeated, lost ones twice. */
export const queryClient: QueryClient = new Queries({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (count, error) => count < 2 && isApiError(error) && (error.status === 0 || error.status === 503),
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
})

/** Input of an operation that takes files: its body as a form. */
type Upload<O extends Address> = Omit<CallInput<O>, 'body'> & { body: FormData }

/** Calls an operation; afterwards the queries that it `touches` are read again where they are on screen. */
export const call = <O extends Address>(
  op: O,
  input?: CallInput<O> | Upload<O>,
  options: CallOptions = {},
): Promise<Answer<O>> => callAny<Answer<O>>(op, input, options)

/** One call of an operation that is known as data only: its caller says what it answers. */
export async function callAny<T = unknown>(op: Address, input: AnyInput = {}, options: CallOptions = {}): Promise<T> {
  const { params, query, body } = input
  const answer = await request<T>(op.method, pathOf(op.path, params), {
    ...options,
    ...(query ? { query: { ...query } } : {}),
    ...(body === undefined ? {} : { body }),
  })
  for (const family of op.touches ?? []) void queryClient.invalidateQueries({ queryKey: [family] })
  return answer
}

/** Returns the cache key of a read: family, operation, input. */
const keyOf = (op: Address, input?: AnyInput): readonly unknown[] => [op.family, op.name, input ?? {}]

/** Returns the options of a read for `useQuery(query(op, input))`, `prefetchQuery` and `ensureQueryData`. */
export const query = <O extends Address>(op: O, input?: CallInput<O>) => queryAny<Answer<O>>(op, input)

/** The same for an operation that is known as data only. */
export const queryAny = <T>(op: Address, input?: AnyInput) =>
  queryOptions({
    queryKey: keyOf(op, input),
    queryFn: ({ signal }) => callAny<T>(op, input, { signal }),
  })

/** The cursor after a page; null after the last one. */
export const nextCursorOf = (page: unknown): string | null => textFieldIn(page, 'nextCursor') || null

/**
 * Returns the options of a list read page by page by cursor, for `useInfiniteQuery(pages(op, input))`; earlier rows stay
 * while filters change.
 */
export const pages = <O extends Address>(op: O, input?: CallInput<O>) => pagesAny<Answer<O>>(op, input)

/** The same for an operation that is known as data only. */
export function pagesAny<T>(op: Address, input: AnyInput = {}) {
  const initialPageParam: string | null = null
  return {
    queryKey: [...keyOf(op, input), 'pages'],
    queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: string | null }) =>
      callAny<T>(op, { ...input, query: { ...input.query, ...(pageParam ? { cursor: pageParam } : {}) } }, { signal }),
    initialPageParam,
    getNextPageParam: nextCursorOf,
    placeholderData: keepPreviousData,
  }
}

/** Mutation options of a write for `useMutation(mutation(op))`; a refusal that no form shows by field is shown in a toast. */
export function mutation<O extends Address>(
  op: O,
  options: Omit<UseMutationOptions<Answer<O>, Error, CallInput<O>>, 'mutationFn'> = {},
): UseMutationOptions<Answer<O>, Error, CallInput<O>> {
  return {
    mutationFn: (input) => call(op, input, { quiet: true }),
    onError: (error) => {
      if (!(isApiError(error) && error.code === 'ERR_VALIDATION' && Object.keys(error.details).length > 0))
        notifyError(error)
    },
    ...options,
  }
}
