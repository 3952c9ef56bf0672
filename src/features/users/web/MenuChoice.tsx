import { isRouteHidden } from '#domain/access/menu.ts'
import { assignableRoutes } from '#kit/permissions.ts'
import '#web/registries.ts'
import { allScreens } from '#web/shell/screens.ts'
import { t } from '#web/t.ts'
import { SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import type { FormValues } from './form-values.ts'
import css from './users.module.css'

/** Choice of the screens in the user's menu, among those that can be hidden for the role. */
export function MenuChoice(props: {
  values: Pick<FormValues, 'profile' | 'menuPermissions'>
  onChange: (hidden: Record<string, boolean>) => void
}) {
  const { values, onChange } = props
  const routes = assignableRoutes(values.profile).flatMap((name) => {
    const screen = allScreens().find(({ path, menu }) => menu && isRouteHidden({ [name]: true }, path))
    return screen ? [{ name, title: screen.menu?.label ?? screen.title }] : []
  })
  if (routes.length === 0) return null
  return (
    <>
      <h3 className={css.heading}>{t('Telas do menu')}</h3>
      <SwitchGroup>
        {routes.map(({ name, title }) => (
          <SwitchRow
            key={name}
            name={title}
            checked={!values.menuPermissions[name]}
            onChange={(isShown) => onChange({ ...values.menuPermissions, [name]: !isShown })}
          />
        ))}
      </SwitchGroup>
    </>
  )
}
