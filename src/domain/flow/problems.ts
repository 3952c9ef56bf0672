import type { Flow } from './flow.ts'

/** Problems of a flow: errors prevent publishing, warnings do not. */
export const FLOW_PROBLEMS = {
  noStart: 'error',
  missingTarget: 'error',
  endlessCycle: 'error',
  badPattern: 'error',
  afterLast: 'error',
  deletedQueue: 'error',
  deletedUser: 'error',
  deletedTag: 'error',
  deletedFlow: 'error',
  deletedChannel: 'error',
  missingSecret: 'error',
  deletedStage: 'error',
  deletedReason: 'error',
  deletedAssistant: 'error',
  deletedCalendar: 'error',
  missingFile: 'error',
  missingTime: 'error',
  unreachable: 'warning',
  noPerson: 'warning',
  unknownVariable: 'warning',
  shadowedCondition: 'warning',
  emptyCondition: 'warning',
  noOtherwise: 'warning',
  unavailable: 'warning',
  unknownKind: 'warning',
} as const satisfies Record<string, 'error' | 'warning'>

/** The name of a problem. */
export type ProblemCode = keyof typeof FLOW_PROBLEMS

/** One thing that is wrong: where (null: with the flow as a whole), and a Portuguese sentence about it. */
export type FlowProblem = {
  readonly code: ProblemCode
  readonly level: 'error' | 'warning'
  readonly nodeId: string | null
  readonly text: string
}

/** Existing ids that a flow may refer to; `flows` are those that can be started, by id. */
export type Existing = {
  readonly chatFlowId: number
  readonly queueIds: ReadonlySet<number>
  readonly userIds: ReadonlySet<number>
  readonly tagIds: ReadonlySet<number>
  readonly stageIds: ReadonlySet<number>
  readonly pipelineStageIds: ReadonlySet<number>
  readonly calendarIds: ReadonlySet<number>
  readonly reasonIds: ReadonlySet<number>
  readonly fileIds: ReadonlySet<string>
  readonly connectionIds: ReadonlySet<number>
  /** Connections that carry text messages (SMS). */
  readonly smsIds: ReadonlySet<number>
  /** The accounts of assistants that answer customers, with their providers. */
  readonly assistants: ReadonlyMap<number, string>
  readonly flows: ReadonlyMap<number, Flow>
  /** The company's own variables. */
  readonly variables: ReadonlySet<string>
  /** Permitted origin of each secret of the flow by its id; '': not known yet. */
  readonly secretOrigins: ReadonlyMap<string, string>
}
