import { Button } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { type SettingKey, type SettingSpec, settingEntries, settingGroups } from '#kit/settings.ts'
import '#web/registries.ts'
import { sentence } from '#web/api.ts'
import { plural, t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { ChevronDownIcon } from '#web/ui/icons.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { Colors } from './Colors.tsx'
import { COLORS } from './findable.ts'
import { isShown } from './labels.ts'
import { startSettingsLive } from './live.ts'
import { loadMaintenance } from './maintenance.ts'
import { SettingField } from './SettingField.tsx'
import css from './settings.module.css'
import { useSettings } from './use-settings.ts'

startSettingsLive('settings')
startSettingsLive('tenants')

type Entry = readonly [SettingKey, SettingSpec]
const shown: readonly Entry[] = settingEntries().filter(isShown)

/** Page of the company's general settings by group, each with its effect; changes are saved at once. */
export function Settings() {
  const { read, current, save } = useSettings()
  const wanted = useLocation({ select: ({ hash }) => hash })
  if (read.error && !read.data) return <LoadError text={sentence(read.error)} retry={() => void read.refetch()} />
  const changed = shown.filter(([key, spec]) => current(key) !== spec.default).length
  const isOff = ({ under }: SettingSpec) => under !== undefined && current(under as SettingKey) !== 'enabled'
  const groups = settingGroups
    .map((group) => ({
      group,
      // A searched setting is shown even while its switch is off.
      entries: shown.filter(([key, spec]) => spec.group === group && (key === wanted || !isOff(spec))),
    }))
    .filter(({ entries }) => entries.length > 0)
  return (
    <Page>
      <PageHeader
        title={t('Configurações gerais')}
        facts={
          read.data &&
          (changed === 0
            ? t('Tudo no padrão')
            : plural(changed, t('configuração diferente do padrão'), t('configurações diferentes do padrão')))
        }
        actions={
          <CommandMenu
            load={loadMaintenance}
            target={
              <Button variant="default" rightSection={<ChevronDownIcon size={16} />}>
                {t('Manutenção')}
              </Button>
            }
          />
        }
      />
      {!read.data && <SkeletonRows kind="card" rows={5} />}
      {read.data && (
        <div className={css.columns}>
          <div className={css.groups}>
            {groups.map(({ group, entries }) => (
              <Card key={group} title={t(group)}>
                {entries.map(([key, spec]) => (
                  <SettingField
                    key={key}
                    id={key}
                    spec={spec}
                    value={current(key)}
                    onSave={(value) => save(key, value)}
                  />
                ))}
              </Card>
            ))}
          </div>
          <div id={COLORS}>
            <Colors />
          </div>
        </div>
      )}
    </Page>
  )
}
