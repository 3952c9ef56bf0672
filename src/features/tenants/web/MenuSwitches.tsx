import { routeName } from '#domain/access/menu.ts'
import { firstOf } from '#domain/present.ts'
import { whyNot } from '#kit/permissions.ts'
import '#web/registries.ts'
import { allScreens, entryName, inMenuOrder, type Screen } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import type { Company } from '../companies.ts'

type Menu = Company['menuVisibility']

// What people of a company find in their menu: nothing of the installation's own screens.
const isOfCompanies = ({ menu, can, profiles }: Screen): boolean =>
  menu !== undefined &&
  (!profiles || profiles.includes('admin')) &&
  (can === 'session' || whyNot({ profile: 'admin' }, can) === null)

/** What can be hidden, in the order of the menu; a route name takes all screens below it along. */
function routes() {
  const screens = inMenuOrder(allScreens()).filter(isOfCompanies)
  return [...Map.groupBy(screens, ({ path }) => routeName(path))].map(([name, all]) => {
    const first =
      all.find(({ path, redirects = {} }) => path === `/${name}` || path === redirects[`/${name}`]) ?? firstOf(all)
    const others = all.filter((one) => one !== first).map(entryName)
    return { name, title: entryName(first), others }
  })
}

/** Which screens the people of a company have; names that no screen has are left as they are. */
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
