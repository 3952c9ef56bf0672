import type { Flow } from './flow.ts'

/** Problems of a flow with their severity: errors prevent its publication, warnings do not. */
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

/** Code of a flow problem. */
export type ProblemCode = keyof typeof FLOW_PROBLEMS

/** Problem of a flow: its place (null: the whole flow), and a Portuguese sentence. */
export type FlowProblem = {
  readonly code: ProblemCode
  readonly level: 'error' | 'warning'
  readonly nodeId: string | null
  readonly text: string
}

/** Existing records that a flow may refer to; `flows` are those that can be started, by id. */
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
  /** Ids of the connections that support SMS. */
  readonly smsIds: ReadonlySet<number>
  /** Assistant accounts that answer customers, with their providers. */
  readonly assistants: ReadonlyMap<number, string>
  readonly flows: ReadonlyMap<number, Flow>
  /** Names of the company's own variables. */
  readonly variables: ReadonlySet<string>
  /** Permitted origin of each secret of the flow, by id; '': unknown yet. */
  readonly secretOrigins: ReadonlyMap<string, string>
}
