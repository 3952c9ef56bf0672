import { z } from 'zod'
import { readOutside } from '#kit/outside.ts'
import { listOrOne, record, textOrNumber as text } from '#kit/outside-fields.ts'
import { META_ERRORS } from '../meta-errors.ts'
import { type ChannelTools, type NumberDesk, type NumberNews, sendFailure } from '../port.ts'
import { lookUp } from '../read.ts'
import { failureOf, type Graph, GraphRefusal } from './graph.ts'
import { uploadSample } from './samples.ts'
import { answers, metaStatus } from './schemas.ts'

const STATE_FIELDS =
  'display_phone_number,verified_name,name_status,quality_rating,messaging_limit_tier,status,code_verification_status'
const PROFILE_FIELDS = 'about,address,description,email,profile_picture_url,websites,vertical'

/** Messaging limits by Meta's names: people who may be written to first per day; 0: unlimited. */
const TIERS: Readonly<Record<string, number>> = {
  ...{ TIER_50: 50, TIER_250: 250, TIER_1K: 1000, TIER_2K: 2000, TIER_10K: 10_000, TIER_100K: 100_000 },
  TIER_UNLIMITED: 0,
}

const NO_CODE =
  'A Meta não enviou o código: o número já foi verificado, ou foram pedidos demais. Espere e tente de novo.'
const WRONG_CODE = 'O código não confere, ou já venceu. Confira os dígitos, ou peça outro.'

/** Problem of a number that does not belong to the given account. */
export const OTHER_ACCOUNT = 'Este número não é desta conta do WhatsApp Business.'

const MOST_PICTURE = 2 * 1024 * 1024

const QUALITIES = ['GREEN', 'YELLOW', 'RED'] as const

const refusing = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw failureOf(error, true)
  })

/** Returns the port to a number at Meta: state, profile, registration. */
export function numberDesk(
  graph: Graph,
  of: { phoneId: string; wabaId: string; appId: string; verifyToken: string; fetch: ChannelTools['fetch'] },
): NumberDesk {
  const { phoneId, wabaId, appId, verifyToken, fetch } = of
  const post = async (edge: string, json: object, problem?: string) => {
    await graph.call([phoneId, edge], { method: 'POST', json }).catch((error: unknown) => {
      const isUnknown = error instanceof GraphRefusal && !(error.code !== null && error.code in META_ERRORS)
      throw problem && isUnknown ? sendFailure('refused', problem) : failureOf(error, true)
    })
  }
  const saveProfile = (json: object) => post('whatsapp_business_profile', { messaging_product: 'whatsapp', ...json })
  return {
    async state() {
      // A connected number gets the news of its account, so Meta has to confirm that it belongs to it.
      const query = { fields: 'id', limit: '200' }
      const { data } = await refusing(graph.ask(answers.numbers, [wabaId, 'phone_numbers'], { query }))
      if (!data.some(({ id }) => id === phoneId)) throw sendFailure('refused', OTHER_ACCOUNT)
      const read = await refusing(graph.ask(answers.numberState, [phoneId], { query: { fields: STATE_FIELDS } }))
      return stateFrom(wabaId, read)
    },
    async profile() {
      const query = { fields: PROFILE_FIELDS }
      const { data = [] } = await refusing(
        graph.ask(answers.profiles, [phoneId, 'whatsapp_business_profile'], { query }),
      )
      const [profile = {}] = data
      const picture = profile.profile_picture_url
      const { about = '', description = '', address = '', email = '', websites = [], vertical = '' } = profile
      return {
        about,
        description,
        address,
        email,
        websites,
        vertical,
        picture: picture ? await fetchPicture(fetch, picture) : null,
      }
    },
    async saveProfile({ about, vertical, ...profile }) {
      // Meta refuses empty values of these two, so the old ones remain.
      await saveProfile({ ...profile, ...(about ? { about } : {}), ...(vertical ? { vertical } : {}) })
    },
    async savePicture(file) {
      await saveProfile({ profile_picture_handle: await refusing(uploadSample(graph, appId, file)) })
    },
    requestCode: (by) => post('request_code', { code_method: by.toUpperCase(), language: 'pt_BR' }, NO_CODE),
    verify: (code) => post('verify_code', { code }, WRONG_CODE),
    register: (pin) => post('register', { messaging_product: 'whatsapp', pin }),
    async setCallback(address) {
      const json = address === null ? {} : { override_callback_uri: address, verify_token: verifyToken }
      await refusing(graph.call([wabaId, 'subscribed_apps'], { method: 'POST', json }))
    },
  }
}

const accountValue = record({
  ...{ display_phone_number: text, event: text },
  restriction_info: z.array(record({ restriction_type: text })),
  violation_info: record({ violation_type: text }),
  ban_info: record({ waba_ban_state: listOrOne(text) }),
  metadata: record({ phone_number_id: text }),
  statuses: z.array(metaStatus),
})

const CHANGES = ['phone_number_quality_update', 'phone_number_name_update', 'business_capability_update']

/**
 * Converts a webhook field into news of an account's numbers; `at` in ms by Meta's clock. None for other fields; `isAll`:
 * the field contains nothing else.
 */
export function numberNewsOf(
  field: string,
  value: unknown,
  { business, at }: { business: string; at: number },
): { news: readonly NumberNews[]; isAll: boolean } {
  const isKnown = CHANGES.includes(field) || field === 'account_update'
  if (!isKnown && !(value !== null && typeof value === 'object' && 'statuses' in value))
    return { news: [], isAll: false }
  const update = readOutside(accountValue, value)?.data ?? {}
  const number = update.display_phone_number?.replace(/\D/g, '') || null
  if (CHANGES.includes(field)) return { news: [{ business, number, at, what: 'changed', detail: '' }], isAll: true }
  if (field === 'account_update') {
    const types = [
      ...(update.restriction_info ?? []).map(({ restriction_type: type }) => type),
      update.violation_info?.violation_type,
      ...(update.ban_info?.waba_ban_state ?? []),
    ].filter((one) => one !== undefined && one !== 'REINSTATE')
    const isRestricted = types.length > 0
    const [what, detail] = isRestricted ? (['restriction', types.join(', ')] as const) : (['changed', ''] as const)
    return { news: [{ business, number, at, what, detail }], isAll: true }
  }
  // Meta reports a missing payment through undelivered messages.
  const failed = (update.statuses ?? []).find(({ errors }) =>
    errors?.some(({ code = 0 }) => META_ERRORS[code]?.isUnpaid),
  )
  const phone = update.metadata?.phone_number_id
  if (!failed || !phone) return { news: [], isAll: false }
  const when = (failed.timestamp ?? 0) * 1000 || at
  return { news: [{ business, number: phone, at: when, what: 'payment', detail: '' }], isAll: false }
}

const stateFrom = (business: string, read: z.output<typeof answers.numberState>) => ({
  business,
  shownNumber: read.display_phone_number ?? '',
  name: read.verified_name ?? '',
  nameStatus: read.name_status ?? '',
  quality: QUALITIES.find((one) => one === read.quality_rating) ?? null,
  dailyLimit: lookUp(TIERS, read.messaging_limit_tier ?? '') ?? null,
  status: read.status ?? '',
  isVerified: read.code_verification_status === 'VERIFIED',
})

// A picture that cannot be fetched is omitted; the rest of the profile is still read.
const fetchPicture = (fetch: ChannelTools['fetch'], address: string) =>
  fetch(address, { maxBytes: MOST_PICTURE }).then(
    ({ status, body }) => (status === 200 ? body : null),
    () => null,
  )
