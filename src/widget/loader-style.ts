/** Style of the launcher and the frame; in a shadow root, so that the page's own rules stay outside. */
export const css = `
:host{all:initial!important;position:fixed!important;z-index:2147483000!important;inset:auto!important;width:0!important;height:0!important;display:block!important}
*{box-sizing:border-box}
.go{--c:var(--guiche-color,#6e2a5c);position:fixed;bottom:calc(20px + env(safe-area-inset-bottom));right:20px;width:56px;height:56px;padding:0;border:0;border-radius:28px 28px 8px 28px;background:var(--c);color:#fff;cursor:pointer;display:grid;place-items:center;box-shadow:0 2px 6px #22142115,0 12px 28px -8px #22142166;transition:transform .14s cubic-bezier(.2,.8,.2,1)}
@supports (color:oklch(from red l c h)){.go{--c:oklch(from var(--guiche-color,#6e2a5c) clamp(.3,l,.46) c h)}}
.left .go{right:auto;left:20px;border-radius:28px 28px 28px 8px}
.go:hover{transform:translateY(-2px)}
.go:active{transform:translateY(1px)}
.go:focus-visible{outline:2px solid var(--c);outline-offset:3px;box-shadow:0 0 0 3px #fff}
svg{width:26px;height:26px;fill:none;stroke:currentColor;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
.badge{position:absolute;top:-4px;right:-4px;min-width:22px;height:22px;padding:0 6px;border-radius:11px;background:#f2b02c;color:#2a1a05;font:660 12px/22px system-ui,sans-serif;text-align:center;border:2px solid #fff;line-height:18px}
.visually-hidden{position:fixed;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
iframe{position:fixed;bottom:calc(92px + env(safe-area-inset-bottom));right:20px;width:384px;height:min(640px,calc(100dvh - 112px));max-width:calc(100vw - 40px);border:0;border-radius:16px;background:#fff;color-scheme:normal;box-shadow:0 2px 6px #22142114,0 24px 56px -12px #22142147;visibility:hidden;opacity:0;transform:translateY(8px);transition:opacity .2s,transform .2s,visibility 0s .2s}
.left iframe{right:auto;left:20px}
.open iframe{visibility:visible;opacity:1;transform:none;transition:opacity .2s cubic-bezier(.2,.8,.2,1),transform .2s cubic-bezier(.2,.8,.2,1)}
[hidden]{display:none!important}
@media (max-width:479.98px){iframe,.left iframe{inset:0;width:100%;height:100%;max-width:none;border-radius:0;bottom:auto}.open .go{display:none}}
@media (prefers-reduced-motion:reduce){.go,iframe{transition:none!important}}
@media print{.go,iframe{display:none}}
`
