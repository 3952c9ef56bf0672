import { USUAL_HOURS } from '#domain/campaigns/hours.ts'
import { momentAt, wallOf } from '#features/schedules/web/wall.ts'
import type { Campaign } from '../contract.ts'
import { campaignForm } from '../forms.ts'

/** Values of the campaign form; `start` in the company's time zone. */
export type CampaignValues = {
  name: string
  start: string
  sessionId: number
  delay: number
  message1: string
  message2: string
  message3: string
  weights: readonly number[]
  template: Campaign['template']
  windowStart: string
  windowEnd: string
  weekdays: readonly number[]
  skipsHolidays: boolean
  purpose: Campaign['purpose']
  perWeek: number | null
  skipsOpen: boolean
  replyQueueId: number | null
  replyTagId: number | null
  replyFlowId: number | null
  recurrence: string | null
  followUp: Campaign['followUp']
  mediaUrl: string
  file: File | null
  removeFile: boolean
}

/** Returns the default values of a new campaign. */
export const emptyCampaign = (): CampaignValues => ({
  ...{ name: '', start: wallOf(Date.now() + 3_600_000), sessionId: 0, delay: 20 },
  ...{ message1: '', message2: '', message3: '', weights: [1, 1, 1], template: null },
  ...USUAL_HOURS,
  ...{ purpose: 'marketing', perWeek: 2, skipsOpen: true, replyQueueId: null, replyTagId: null },
  ...{ replyFlowId: null, recurrence: null, followUp: null, mediaUrl: '' },
  ...{ file: null, removeFile: false },
})

/** Converts a stored campaign into form values. */
export function campaignValues(row: Campaign): CampaignValues {
  const { name, delay, message1, message2, message3, weights, template, windowStart, windowEnd, weekdays } = row
  const { skipsHolidays, purpose, perWeek, skipsOpen, replyQueueId, replyTagId } = row
  const { replyFlowId, recurrence, followUp } = row
  return {
    ...{ name, start: wallOf(Date.parse(row.start)), sessionId: row.sessionId ?? 0, delay },
    ...{ message1, message2, message3, template, windowStart, windowEnd, weekdays },
    // For a missing message: its share once one is written.
    weights: weights.map((weight, at) => ([message1, message2, message3][at] === '' ? 1 : weight)),
    ...{ skipsHolidays, purpose, perWeek, skipsOpen, replyQueueId, replyTagId, replyFlowId },
    ...{ recurrence, followUp, mediaUrl: '', file: null, removeFile: false },
  }
}

const bodyOf = ({ file: _, start, ...values }: CampaignValues) => {
  const at = momentAt(start)
  return { ...values, start: at === null ? '' : new Date(at).toISOString() }
}

/** Validator of the form's request body. */
export const campaignChecker = {
  safeParse: (values: unknown) => campaignForm.safeParse(bodyOf(values as CampaignValues)),
}

/** Returns the request body of a form; as form data if there is a file. */
export function sentCampaign(values: CampaignValues): object {
  const body = bodyOf(values)
  if (!values.file) return body
  return formOf(body, values.file)
}

/** Converts fields and a file into form data; non-text values as JSON. */
export function formOf(fields: object, file: File): FormData {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields))
    form.append(key, typeof value === 'object' ? JSON.stringify(value) : String(value))
  form.append('file', file)
  return form
}
