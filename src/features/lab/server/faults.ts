import type { LabFaults } from '../contract.ts'

/** Duration of an outage ("Cair 10 min"), in ms. */
export const OUTAGE_MS = 10 * 60_000
/** Time after which a reordered message without a following one is released, in ms. */
const LONGEST_DELAY_MS = 60_000
/** Delay of the job that delivers a message if the request crashed before doing so, in ms. */
const RECOVERY_MS = 15_000

/** Content of `lab_phones.faults`: armed faults, end of the outage, held messages. */
export type StoredFaults = {
  readonly duplicate: boolean
  readonly reorder: boolean
  readonly delaySeconds: number
  readonly lateReceiptSeconds: number
  readonly otherSpelling: boolean
  readonly hidden: boolean
  readonly undecrypted: boolean
  readonly corruptFile: boolean
  readonly expiredFile: boolean
  readonly refuses: boolean
  readonly windowClosed: boolean
  readonly provider: string
  readonly reorderedReceipts: boolean
  readonly lowQuality: boolean
  readonly restricted: boolean
  readonly limited: boolean
  readonly vacation: boolean
  readonly disconnectedUntil: number | null
  readonly held: readonly string[]
}

const none: StoredFaults = {
  duplicate: false,
  reorder: false,
  delaySeconds: 0,
  lateReceiptSeconds: 0,
  otherSpelling: false,
  hidden: false,
  undecrypted: false,
  corruptFile: false,
  expiredFile: false,
  refuses: false,
  windowClosed: false,
  provider: '',
  reorderedReceipts: false,
  lowQuality: false,
  restricted: false,
  limited: false,
  vacation: false,
  disconnectedUntil: null,
  held: [],
}

/** Returns the faults of a stored phone, with defaults. */
export const readFaults = (stored: unknown): StoredFaults => Object.assign({ ...none }, stored)

/** Whether nothing passes now. */
export const isConnectionDown = (faults: StoredFaults, now: number): boolean => (faults.disconnectedUntil ?? 0) > now

/** Converts the faults into the form for browsers. */
export const shownFaults = (faults: StoredFaults, now: number): LabFaults => ({
  duplicate: faults.duplicate,
  reorder: faults.reorder,
  delaySeconds: faults.delaySeconds,
  lateReceiptSeconds: faults.lateReceiptSeconds,
  otherSpelling: faults.otherSpelling,
  hidden: faults.hidden,
  undecrypted: faults.undecrypted,
  corruptFile: faults.corruptFile,
  expiredFile: faults.expiredFile,
  refuses: faults.refuses,
  windowClosed: faults.windowClosed,
  provider: faults.provider,
  reorderedReceipts: faults.reorderedReceipts,
  lowQuality: faults.lowQuality,
  restricted: faults.restricted,
  limited: faults.limited,
  vacation: faults.vacation,
  disconnected: isConnectionDown(faults, now),
})

/** Returns the faults after a change. */
export function changeFaults(
  faults: StoredFaults,
  { disconnected, ...change }: { [K in keyof LabFaults]?: LabFaults[K] | undefined },
  now: number,
): StoredFaults {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const outage = disconnected === undefined ? {} : { disconnectedUntil: disconnected ? now + OUTAGE_MS : null }
  return { ...faults, ...given, ...outage }
}

/** Delivery of a message from the phone, as changed by the armed faults. */
export type Way = {
  readonly fault: 'duplicate' | 'reorder' | 'delay' | 'disconnected' | 'provider' | null
  /** Whether the request itself delivers it; otherwise only the job does. */
  readonly goesNow: boolean
  /** Time at which the job checks whether it was delivered. */
  readonly jobAt: number
  /** Ids of held messages that are delivered after it. */
  readonly releases: readonly string[]
  readonly faults: StoredFaults
}

/** Decides the delivery of the phone's next message; one armed fault is used up per message. */
export function wayOf(faults: StoredFaults, messageId: string, now: number): Way {
  const { held } = faults
  if (isConnectionDown(faults, now))
    return { fault: 'disconnected', goesNow: false, jobAt: faults.disconnectedUntil!, releases: [], faults }
  if (faults.reorder)
    return {
      fault: 'reorder',
      goesNow: false,
      jobAt: now + LONGEST_DELAY_MS,
      releases: [],
      faults: { ...faults, reorder: false, held: [...held, messageId] },
    }
  const free = { ...faults, held: [] }
  if (faults.delaySeconds > 0)
    return {
      fault: 'delay',
      goesNow: false,
      jobAt: now + faults.delaySeconds * 1000,
      releases: [],
      faults: { ...faults, delaySeconds: 0 },
    }
  if (faults.duplicate)
    return {
      fault: 'duplicate',
      goesNow: true,
      jobAt: now + RECOVERY_MS,
      releases: held,
      faults: { ...free, duplicate: false },
    }
  return { fault: null, goesNow: true, jobAt: now + RECOVERY_MS, releases: held, faults: free }
}
