import { questionOf, type RatingOption, USUAL_RATINGS } from '#domain/ratings/question.ts'
import { isOn, type TenantSettings } from '#kit/settings.ts'

/** Returns a company's six rating options, 0 to 5. */
export function ratesOf({ values }: TenantSettings): RatingOption[] {
  const stored: RatingOption[] = JSON.parse(values.rating)
  return stored.length > 0 ? stored : [...USUAL_RATINGS]
}

/** Returns texts and time of the rating, as the wire has them. */
export const textsOf = (settings: TenantSettings) => ({
  ratingStoreUse: isOn(settings, 'ratingStoreUse') ? ('enabled' as const) : ('disabled' as const),
  ratingStore: settings.values.ratingStore,
  ratingStoreError: settings.values.ratingStoreError,
  ratingStoreAttemp: settings.values.ratingStoreAttemp,
  ratingStoreTime: Number(settings.values.ratingStoreTime),
})

/** Returns the rating options that customers choose from. */
export const questionFor = (settings: TenantSettings): string => questionOf(ratesOf(settings))

/** Returns the text of a reply, empty if none; `rating` is the customer's rating. */
export function replyFor(settings: TenantSettings, reply: 'thanks' | 'error' | 'over', rating: number | null): string {
  const { ratingStore, ratingStoreError, ratingStoreAttemp } = settings.values
  if (reply === 'error') return ratingStoreError
  if (reply === 'over') return ratingStoreAttemp
  return ratesOf(settings).find((row) => row.rating === rating)?.message || ratingStore
}
