import { Button } from '@mantine/core'
import { useMemo } from 'react'
import { type SettingKey, type SettingSpec, settingEntries, settingGroups } from '#kit/settings.ts'
import '#web/registries.ts'
import { sentence } from '#web/api.ts'
import { plural, t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { EmptyState, LoadError } from '#web/ui/feedback/states.tsx'
import { ChevronDownIcon } from '#web/ui/icons.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { FilterRow } from '#web/ui/layout/FilterRow.tsx'
import { Card, Page, PageHeader, SearchField } from '#web/ui/layout/page.tsx'
import { useUrlState } from '#web/url-state.ts'
import { Colors } from './Colors.tsx'
import { matches } from './labels.ts'
import { startSettingsLive } from './live.ts'
import { loadMaintenance } from './maintenance.ts'
import { SettingField } from './SettingField.tsx'
import css from './settings.module.css'
import { useSettings } from './use-settings.ts'

startSettingsLive('settings')
startSettingsLive('tenants')

type Entry = readonly [SettingKey, SettingSpec]
const shown: readonly Entry[] = settingEntries().filter(([, { group }]) => group !== null)
const colorKeywords = t('cores cor primária destaque aparência da empresa')

/** Every general setting of the company by group, each with its effect, saved as soon as it is changed. */
export function Settings() {
  const { read, current, save } = useSettings()
  const [{ searchParam: search = '' }, setUrl] = useUrlState()
  const setSearch = (text: string) => setUrl({ searchParam: text })
  const found = useMemo(() => shown.filter(([key, spec]) => matches(key, spec, search)), [search])
  if (read.error && !read.data) return <LoadError text={sentence(read.error)} retry={() => void read.refetch()} />
  const changed = shown.filter(([key, spec]) => current(key) !== spec.default).length
  const isOff = ({ under }: SettingSpec) => under !== undefined && current(under as SettingKey) !== 'enabled'
  const groups = settingGroups
    .map((group) => ({
      group,
      // A search finds also what waits for its switch.
      entries: found.filter(([, spec]) => spec.group === group && (search !== '' || !isOff(spec))),
    }))
    .filter(({ entries }) => entries.length > 0)
  const hasColors = search === '' || colorKeywords.includes(search.trim().toLowerCase())
  return (
    <Page>
      <PageHeader
        title={t('Configurações')}
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
      <FilterRow>
        <SearchField value={search} onChange={setSearch} placeholder={t('Buscar configuração')} />
      </FilterRow>
      {!read.data && <SkeletonRows kind="card" rows={5} />}
      {read.data && groups.length === 0 && !hasColors && (
        <EmptyState
          title={t('Nenhuma configuração encontrada')}
          text={t('Procure pelo que ela faz: “assinatura”, “grupo”, “encerrar”.')}
          step={{ label: t('Limpar a busca'), run: () => setSearch('') }}
        />
      )}
      {read.data && (
        <div className={css.columns}>
          <div className={css.groups}>
            {groups.map(({ group, entries }) => (
              <Card key={group} title={t(group)}>
                {entries.map(([key, spec]) => (
                  <SettingField key={key} spec={spec} value={current(key)} onSave={(value) => save(key, value)} />
                ))}
              </Card>
            ))}
          </div>
          {hasColors && <Colors />}
        </div>
      )}
    </Page>
  )
}
