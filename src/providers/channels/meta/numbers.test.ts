import { expect, test } from 'vitest'
import { numberNewsOf } from './numbers.ts'

const of = { business: 'waba', at: 1_790_000_000_000 }
const said = (field: string, value: object) => numberNewsOf(field, value, of)

const phone = { display_phone_number: '+55 11 3000-4000' }
const told: readonly [what: string, field: string, value: object, news: object][] = [
  [
    'a limit',
    'phone_number_quality_update',
    { ...phone, event: 'DOWNGRADE', current_limit: 'TIER_250' },
    { what: 'changed', number: '551130004000' },
  ],
  [
    'a name',
    'phone_number_name_update',
    { ...phone, decision: 'REJECTED' },
    { what: 'changed', number: '551130004000' },
  ],
  [
    'the whole account',
    'business_capability_update',
    { max_daily_conversation_per_phone: 250 },
    { what: 'changed', number: null },
  ],
  [
    'a restriction',
    'account_update',
    { event: 'ACCOUNT_RESTRICTION', restriction_info: [{ restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING' }] },
    { what: 'restriction', detail: 'RESTRICTED_BIZ_INITIATED_MESSAGING' },
  ],
  [
    'a violation',
    'account_update',
    { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'SPAM' } },
    { what: 'restriction', detail: 'SPAM' },
  ],
  [
    'a ban',
    'account_update',
    { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'SCHEDULE_FOR_DISABLE' } },
    { what: 'restriction', detail: 'SCHEDULE_FOR_DISABLE' },
  ],
  [
    'the end of a ban',
    'account_update',
    { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: ['REINSTATE'] } },
    { what: 'changed', detail: '' },
  ],
]
test.each(told)('Meta tells of %s', (_, field, value, news) => {
  expect(said(field, value)).toEqual({
    news: [expect.objectContaining({ business: 'waba', at: of.at, ...news })],
    isAll: true,
  })
})

test('a payment that is missing is told by the messages that are not delivered, with their own time; other failures say nothing', () => {
  const status = (code: number) => ({
    metadata: { phone_number_id: 'phone' },
    statuses: [{ id: 'wamid.1', status: 'failed', timestamp: '1790000100', errors: [{ code }] }],
  })
  expect(said('messages', status(131_042))).toEqual({
    news: [{ business: 'waba', number: 'phone', at: 1_790_000_100_000, what: 'payment', detail: '' }],
    isAll: false,
  })
  expect(said('messages', status(131_026))).toEqual({ news: [], isAll: false })
  expect(said('security', {})).toEqual({ news: [], isAll: false })
})
