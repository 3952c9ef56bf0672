import { capabilitiesOf, channelType } from '#providers/channels/configs.ts'
import type { LabFaults, LabPhone } from './contract.ts'

type Of = Pick<LabPhone, 'type' | 'isLinked' | 'isGroup'>
/**
 * Kind of phones that a fault applies to: on a linked number, on any other, on a channel with a window, with number states,
 * with phone numbers, behind a gateway, or a mailbox.
 */
type Kind = 'linked' | 'plain' | 'window' | 'business' | 'numbers' | 'gateway' | 'mail'

const KINDS: Readonly<Partial<Record<keyof LabFaults, readonly Kind[]>>> = {
  hidden: ['linked', 'business'],
  expiredFile: ['linked', 'window', 'gateway'],
  undecrypted: ['linked'],
  corruptFile: ['linked'],
  refuses: ['linked'],
  windowClosed: ['window'],
  reorderedReceipts: ['window'],
  lowQuality: ['business'],
  restricted: ['numbers'],
  limited: ['numbers'],
  otherSpelling: ['numbers'],
  vacation: ['mail'],
  // A mailbox gives no receipts.
  duplicate: ['plain', 'mail'],
  reorder: ['plain', 'mail'],
  delaySeconds: ['plain', 'mail'],
  disconnected: ['plain', 'mail'],
  provider: ['plain', 'mail'],
}
const OF_PEOPLE: readonly string[] = ['hidden', 'refuses']
/** Receipts that a fault requires of the channel. */
const RECEIPTS: Readonly<Partial<Record<keyof LabFaults, readonly ('delivered' | 'read')[]>>> = {
  lateReceiptSeconds: [],
  reorderedReceipts: ['delivered', 'read'],
}

function kindsOf({ type, isLinked }: Of): Partial<Record<Kind, boolean>> {
  const { windowHours, threads, begins, qr } = capabilitiesOf(type)
  if (isLinked) return { linked: true }
  if (threads) return { mail: true }
  return {
    ...{ plain: true, window: windowHours !== null, gateway: qr },
    business: channelType(type)?.config.businessField !== undefined,
    // Contacts known only by an id cannot be written to first.
    numbers: begins === 'anyone',
  }
}

/** Whether a fault applies to a phone. */
export function isFaultOf(of: Of, fault: keyof LabFaults): boolean {
  if (of.isGroup && OF_PEOPLE.includes(fault)) return false
  const { receipts } = capabilitiesOf(of.type)
  const needed = RECEIPTS[fault]
  if (needed && (receipts.length === 0 || !needed.every((one) => receipts.includes(one)))) return false
  const kinds = kindsOf(of)
  return (KINDS[fault] ?? ['plain']).some((kind) => kinds[kind])
}
