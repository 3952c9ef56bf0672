import { type Permitted, type Refusal, whyHidden } from '#domain/access/permissions.ts'
import { whyNot } from '#kit/permissions.ts'
import '#web/registries.ts'
import { allScreens, inMenuOrder, type Screen } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import type { UserAccess } from '../contract.ts'
import css from './access.module.css'
import { refusals } from './labels.ts'

/** Returns the reason for which a user may not open a screen; null if permitted. */
function whyNotOpen(person: Permitted, { can, profiles, path }: Screen): Refusal | null {
  if (profiles && !profiles.includes(person.profile)) return 'profile'
  return (can === 'session' ? null : whyNot(person, can)) ?? whyHidden(person, path)
}

/** List of all screens with the user's access; those of the superadmin come last. */
export function Screens({ about: { person } }: { about: UserAccess }) {
  const screens = inMenuOrder(allScreens())
    .filter(({ can }) => can === 'session' || whyNot({ profile: 'admin' }, can) === null)
    .map((screen) => ({ screen, refusal: whyNotOpen(person, screen) }))
  const open = screens.filter(({ refusal }) => refusal === null)
  const closed = screens.filter(({ refusal }) => refusal !== null)
  return (
    <>
      <h3 className={css.sub}>{t('Abre ({n})', { n: open.length })}</h3>
      <ul className={css.chips}>
        {open.map(({ screen }) => (
          <li key={screen.path} title={screen.path}>
            <Pill tone="pos">{screen.title}</Pill>
          </li>
        ))}
      </ul>
      {closed.length > 0 && <h3 className={css.sub}>{t('Não abre ({n})', { n: closed.length })}</h3>}
      <ul className={css.list}>
        {closed.map(({ screen, refusal }) => (
          <li key={screen.path} className={css.row} title={screen.path}>
            <span>{screen.title}</span>
            <span className={css.reason}>{refusal && refusals[refusal]}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
