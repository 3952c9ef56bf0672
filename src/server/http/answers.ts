import { isDeepStrictEqual } from 'node:util'
import type { Operation } from '#kit/contract.ts'
import type { Log } from '../log.ts'

/** Sampling interval of operations marked `sampled`: one of so many answers is parsed in production, beginning with the first. */
export const SAMPLE = 50

/** Converts answers to the form of their contracts. */
export type Answers = {
  /** Parses the answer by its contract; throws where it does not match. `isWhole`: parses it regardless of sampling. */
  shaped(op: Operation, answer: unknown, isWhole: boolean): unknown
  /** Number of samples that did not match their contract, by operation name. */
  readonly unlike: ReadonlyMap<string, number>
}

/**
 * Creates the conversion of answers. Handlers of sampled operations return the contract's own form, which parsing would not
 * change. If it does, the parsed form is sent, and `onUnlike` is called; without it the operation's name is logged.
 */
export function createAnswers(log: Log, every: number, onUnlike?: (error: Error) => void): Answers {
  const asked = new Map<string, number>()
  const unlike = new Map<string, number>()

  function isSample({ name }: Operation): boolean {
    const before = asked.get(name) ?? 0
    asked.set(name, before + 1)
    return before % every === 0
  }

  return {
    unlike,
    shaped(op, answer, isWhole) {
      if (!op.sampled) return op.returns.parse(answer)
      if (!isSample(op) && !isWhole) return answer
      const { data: shape, error } = op.returns.safeParse(answer)
      if (!error && isDeepStrictEqual(asJson(shape), asJson(answer))) return shape
      unlike.set(op.name, (unlike.get(op.name) ?? 0) + 1)
      if (error) throw error
      if (onUnlike) onUnlike(new Error(`an answer of ${op.name} is not in the form of its contract`))
      else log.error({ operation: op.name }, 'an answer is not in the form of its contract')
      return shape
    },
  }
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))
