// The settings as they are in force, who asks and with which rights, and how the page looks.
import { call } from "../api";
import { useLoad } from "../parts/load";
import { plain } from "../parts/show";
import { Section, Shown } from "../parts/ui";
import { chooseTheme, chooseToken, theme, token, wantsToken } from "../state";
import { called, chooseLang, lang, t, type Lang } from "../texts";
import type { Plain, Whoami } from "../types";

export function Settings() {
  const settings = useLoad((signal) => call<{ settings: Record<string, Plain> }>("/v1/settings", { signal, bare: true }).then((found) => found.settings), ["settings"], false);
  const who = useLoad<Whoami>((signal) => call("/v1/whoami", { signal, bare: true }), ["whoami"], false);
  return (
    <>
      <h1>{t("nav.settings")}</h1>
      <Look />
      <Shown from={who}>
        {(of) => <p>{t("settings.who")}: <b><bdi>{of.name}</bdi></b> · {t("settings.rights")}: <b>{called(of.rights)}</b></p>}
      </Shown>
      {token.value && <p><button type="button" onClick={() => { chooseToken(""); wantsToken.value = true; }}>{t("token.forget")}</button></p>}
      <Section title={t("nav.settings")} id="in-force">
        <p class="quiet small">{t("settings.note")}</p>
        <Shown from={settings}>
          {(all) => (
            <table>
              <thead><tr><th scope="col">{t("settings.key")}</th><th scope="col">{t("settings.value")}</th></tr></thead>
              <tbody>{flat(all).map(([name, value]) => <tr key={name}><th scope="row"><code>{name}</code></th><td><bdi>{typeof value === "string" && value ? value : plain(value)}</bdi></td></tr>)}</tbody>
            </table>
          )}
        </Shown>
      </Section>
      <p class="small quiet"><a href="/app/licences.txt">{t("app.licences")}</a></p>
    </>
  );
}

/** Sections as dotted keys. */
function flat(all: Record<string, Plain>, before = ""): [string, Plain][] {
  return Object.entries(all).flatMap(([name, value]): [string, Plain][] =>
    value !== null && typeof value === "object" && !Array.isArray(value) ? flat(value, `${before}${name}.`) : [[`${before}${name}`, value]],
  );
}

function Look() {
  return (
    <form class="filters" onSubmit={(event) => event.preventDefault()}>
      <label>{t("app.theme")} <select name="theme" value={theme.value} onChange={(e) => chooseTheme(e.currentTarget.value as typeof theme.value)}>
        <option value="auto">{t("app.theme.auto")}</option>
        <option value="light">{t("app.theme.light")}</option>
        <option value="dark">{t("app.theme.dark")}</option>
      </select></label>
      <label>{t("app.lang")} <select name="lang" value={lang.value} onChange={(e) => chooseLang(e.currentTarget.value as Lang)}>
        <option value="en" lang="en">English</option>
        <option value="tr" lang="tr">Türkçe</option>
      </select></label>
    </form>
  );
}
