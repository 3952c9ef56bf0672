import type { Action, ActionKind } from '#domain/actions/actions.ts'

/** Draft of an action: required values may still be missing. */
export type Draft =
  | { kind: 'tag' | 'untag'; tagIds: number[] }
  | { kind: 'queue'; queueId: number | null }
  | { kind: 'person'; userId: number | null | undefined }
  | { kind: 'note' | 'text'; body: string }
  | { kind: 'stage'; stageId: number | null }
  | { kind: 'opportunity'; pipelineStageId: number | null; name: string; value: string }
  | { kind: 'close'; reasonId?: number | null | undefined }
  /** `unit`: unit of display, in minutes. */
  | { kind: 'snooze'; minutes: number; unit?: number }

/** Creates a draft of a kind. */
export function draftOf(kind: ActionKind): Draft {
  switch (kind) {
    case 'tag':
    case 'untag':
      return { kind, tagIds: [] }
    case 'queue':
      return { kind, queueId: null }
    case 'person':
      return { kind, userId: undefined }
    case 'note':
    case 'text':
      return { kind, body: '' }
    case 'snooze':
      return { kind, minutes: 60 }
    case 'stage':
      return { kind, stageId: null }
    case 'opportunity':
      return { kind, pipelineStageId: null, name: '{{name}}', value: '0' }
    case 'close':
      return { kind }
  }
}

/** Converts a draft to an action; the form's schema refuses an incomplete one. */
export function actionOf(step: Draft): Action {
  if (step.kind !== 'snooze') return step as Action
  const { unit: _, ...action } = step
  return action
}

/** Returns the steps with one of them moved; unchanged if it would leave the list. */
export function moved<Step>(steps: readonly Step[], from: number, by: -1 | 1): readonly Step[] {
  const [one, other] = [steps[from], steps[from + by]]
  return one === undefined || other === undefined ? steps : steps.with(from, other).with(from + by, one)
}
