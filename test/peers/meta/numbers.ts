import { Refused } from './refused.ts'

const VERTICALS =
  'UNDEFINED OTHER AUTO BEAUTY APPAREL EDU ENTERTAIN EVENT_PLAN FINANCE GROCERY GOVT HOTEL HEALTH NONPROFIT PROF_SERVICES RETAIL TRAVEL RESTAURANT'

type Profile = {
  about?: string
  address?: string
  description?: string
  email?: string
  websites?: string[]
  vertical?: string
  profile_picture_handle?: string
}
type Body = Profile & {
  pin?: string
  code?: string
  code_method?: string
  language?: string
  messaging_product?: string
}

/** Creates a number of an account: its state, profile and registration, with Meta's errors. */
export function metaNumber(of: {
  display: string
  isHandle: (handle: string) => boolean
  pictureOf: (handle: string) => string
}) {
  const state = {
    verified_name: 'Empório',
    name_status: 'APPROVED',
    quality_rating: 'GREEN',
    messaging_limit_tier: 'TIER_1K',
    status: 'CONNECTED',
    code_verification_status: 'VERIFIED',
    profile: { about: 'Tudo para a casa', vertical: 'RETAIL' } as Profile,
    /** The code that was sent last, and how. */
    sent: null as { code: string; by: string } | null,
    pin: null as string | null,
    /** Webhook address that replaces the app's for events of the account. */
    override: null as string | null,
    wrongPins: 0,
  }
  const requireWhatsapp = (body: Body) => {
    if (body.messaging_product !== 'whatsapp') throw new Refused(100)
  }
  return {
    state,
    async answer(what: string, query: URLSearchParams, body: Body): Promise<object | null> {
      const { profile, sent, pin, wrongPins: _, override: __, ...standing } = state
      switch (what) {
        case 'GET phone ': {
          const asked = (query.get('fields') ?? 'id').split(',')
          const known = { display_phone_number: of.display, ...standing } as Record<string, string>
          return Object.fromEntries(asked.flatMap((name) => (name in known ? [[name, known[name]]] : [])))
        }
        case 'GET phone whatsapp_business_profile': {
          const asked = (query.get('fields') ?? '').split(',')
          const { profile_picture_handle: handle, ...rest } = profile
          const all = { ...rest, ...(handle ? { profile_picture_url: of.pictureOf(handle) } : {}) }
          return { data: [Object.fromEntries(Object.entries(all).filter(([name]) => asked.includes(name)))] }
        }
        case 'POST phone whatsapp_business_profile': {
          requireWhatsapp(body)
          const { messaging_product: _, ...change } = body
          const { about, description = '', address = '', email = '', websites = [], vertical } = change
          const isFine =
            (about === undefined || (about.length >= 1 && about.length <= 139)) &&
            description.length <= 512 &&
            address.length <= 256 &&
            email.length <= 128 &&
            websites.length <= 2 &&
            websites.every((one) => /^https?:\/\//.test(one) && one.length <= 256) &&
            (vertical === undefined || VERTICALS.split(' ').includes(vertical)) &&
            (change.profile_picture_handle === undefined || of.isHandle(change.profile_picture_handle))
          if (!isFine) throw new Refused(100)
          Object.assign(profile, change)
          return { success: true }
        }
        case 'POST phone request_code':
          if (!['SMS', 'VOICE'].includes(body.code_method ?? '') || !/^[a-z]{2}_[A-Z]{2}$/.test(body.language ?? ''))
            throw new Refused(100)
          state.sent = { code: '482913', by: body.code_method! }
          return { success: true }
        case 'POST phone verify_code':
          if (!sent || sent.code !== body.code) throw new Refused(136_025)
          Object.assign(state, { code_verification_status: 'VERIFIED', sent: null })
          return { success: true }
        case 'POST phone register':
          requireWhatsapp(body)
          if (!/^\d{6}$/.test(body.pin ?? '')) throw new Refused(100)
          if (state.code_verification_status !== 'VERIFIED') throw new Refused(133_006)
          if (state.wrongPins >= 5) throw new Refused(133_008)
          if (pin !== null && pin !== body.pin) {
            state.wrongPins++
            throw new Refused(133_005)
          }
          Object.assign(state, { pin: body.pin, status: 'CONNECTED' })
          return { success: true }
        default:
          return null
      }
    },
    /** Subscribes the app to the account; an overriding callback address has to answer the challenge first. */
    async subscribe(body: { override_callback_uri?: string; verify_token?: string }): Promise<void> {
      const { override_callback_uri: uri, verify_token: token = '' } = body
      if (uri === undefined) {
        state.override = null
        return
      }
      const challenge = `?hub.mode=subscribe&hub.verify_token=${encodeURIComponent(token)}&hub.challenge=77`
      const reply = await fetch(uri + challenge).catch(() => null)
      if (!reply?.ok || (await reply.text()) !== '77') throw new Refused(100)
      state.override = uri
    },
  }
}
