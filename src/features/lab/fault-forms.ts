import { capabilitiesOf } from '#providers/channels/configs.ts'
import type { LabFaults, LabPhone } from './contract.ts'

type Of = Pick<LabPhone, 'type' | 'isLinked' | 'isGroup'>
/** Whose faults: those of phones that write to a linked number, to a channel with a window, of all that write to no linked one, of mailboxes. */
type Kind = 'linked' | 'window' | 'plain' | 'mail'

const KINDS: Readonly<Partial<Record<keyof LabFaults, readonly Kind[]>>> = {
  hidden: ['linked', 'window'],
  expiredFile: ['linked', 'window'],
  undecrypted: ['linked'],
  corruptFile: ['linked'],
  refuses: ['linked'],
  windowClosed: ['window'],
  refusalCode: ['window'],
  reorderedReceipts: ['window'],
  lowQuality: ['window'],
  bounces: ['mail'],
  // A mailbox gives no receipts, and its address has one spelling.
  duplicate: ['plain', 'mail'],
  reorder: ['plain', 'mail'],
  delaySeconds: ['plain', 'mail'],
  disconnected: ['plain', 'mail'],
}
const OF_PEOPLE: readonly string[] = ['hidden', 'refuses']

/** Whether a fault is for a phone: a group has no number, and only what somebody's platform keeps has a quality. */
export function isFaultOf({ type, isLinked, isGroup }: Of, fault: keyof LabFaults): boolean {
  const { windowHours, humanAgentDays, threads } = capabilitiesOf(type)
  const own: readonly Kind[] = threads ? ['mail'] : windowHours === null ? ['plain'] : ['plain', 'window']
  const kinds = isLinked ? ['linked'] : own
  if (isGroup && OF_PEOPLE.includes(fault)) return false
  // Whoever answers as a person is known by an id alone, and has no number that stands somehow.
  if (humanAgentDays !== null && (fault === 'hidden' || fault === 'lowQuality' || fault === 'otherSpelling'))
    return false
  return (KINDS[fault] ?? ['plain']).some((kind) => kinds.includes(kind))
}
