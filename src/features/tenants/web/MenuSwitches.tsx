import { routeName } from '#domain/access/menu.ts'
import { firstOf } from '#domain/present.ts'
import { whyNot } from '#kit/permissions.ts'
import '#web/registries.ts'
import { allScreens, entryName, inMenuOrder, type Screen } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import type { Company } from '../companies.ts'

type Menu = Company['menuVisibility']

// Screens in the menu of a company's users, without those of the installation.
const isOfCompanies = ({ menu, can, profiles }: Screen): boolean =>
  menu !== undefined &&
  (!profiles || profiles.includes('admin')) &&
  (can === 'session' || whyNot({ profile: 'admin' }, can) === null)

/** Returns the routes that can be hidden, in menu order; a route name includes all screens below it. */
function routes() {
  const screens = inMenuOrder(allScreens()).filter(isOfCompanies)
  return [...Map.groupBy(screens, ({ path }) => routeName(path))].map(([name, all]) => {
    const first =
      all.find(({ path, redirects = {} }) => path === `/${name}` || path === redirects[`/${name}`]) ?? firstOf(all)
    const others = all.filter((one) => one !== first).map(entryName)
    return { name, title: entryName(first), others }
  })
}

/** Switches of the screens that a company's users have; names without a screen are kept. */
export function MenuSwitches({ value, onChange }: { value: Menu; onChange: (hidden: Menu) => void }) {
  const show = (name: string, isShown: boolean) => {
    const { [name]: _, ...others } = value
    onChange(isShown ? others : { ...others, [name]: true })
  }
  return (
    <>
      <p className="g-help">
        {t('O que é desligado some do menu de todos na empresa, e o que só se faz ali deixa de ser permitido.')}
      </p>
      <SwitchGroup>
        {routes().map(({ name, title, others }) => (
          <SwitchRow
            key={name}
            name={title}
            {...(others.length > 0 ? { effect: t('Com {screens}.', { screens: others.join(', ') }) } : {})}
            checked={!value[name]}
            onChange={(isShown) => show(name, isShown)}
          />
        ))}
      </SwitchGroup>
    </>
  )
}
