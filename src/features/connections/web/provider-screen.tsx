import { type ComponentType, Suspense } from 'react'
import { channelConfigs } from '#providers/channels/configs.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { useMay } from '#web/session/permissions.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { SectionTabs } from '#web/ui/layout/section-tabs.tsx'
import { useUrlState } from '#web/url-state.ts'
import { ProviderSettings } from './ProviderSettings.tsx'
import css from './provider-screen.module.css'
import { type ProviderOf, providerTabs } from './provider-tabs.ts'

const SETTINGS = 'configuracoes'

/** Loads the screen of a provider: its settings, and the tabs of other features. */
export async function providerScreen(id: string): Promise<ComponentType> {
  const config = channelConfigs.find((one) => one.id === id) as ProviderOf
  const all = await Promise.all(providerTabs.map((load) => load()))
  const others = all
    .filter(({ isOf }) => isOf(config))
    .map(({ nameOf, ...tab }) => ({ ...tab, name: nameOf?.(config) ?? tab.name, Part: lazyPart(tab.load) }))
  return () => {
    const [url, setUrl] = useUrlState()
    const may = useMay()
    const shown = others.filter(({ can }) => may(can))
    const isBack = ({ isBackWith }: { isBackWith?: string }) =>
      isBackWith !== undefined && url[isBackWith] !== undefined
    const open = shown.find(isBack) ?? shown.find(({ key }) => key === url['aba'])
    const sections = [{ key: SETTINGS, name: t('Configurações') }, ...shown]
    const go = (key: string) => {
      const left = Object.fromEntries(Object.keys(url).map((name) => [name, undefined]))
      setUrl({ ...left, aba: key === SETTINGS ? undefined : key })
    }
    const tabs = others.length > 0 && (
      <div className={css.tabs}>
        <SectionTabs sections={sections} open={open?.key ?? SETTINGS} onOpen={go} />
      </div>
    )
    if (!open) return <ProviderSettings config={config} tabs={tabs} />
    return (
      <Suspense fallback={<SkeletonRows kind="table" />}>
        <open.Part config={config} tabs={tabs} />
      </Suspense>
    )
  }
}
