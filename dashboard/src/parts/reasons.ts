// Reasons the server gives in English, of its own fixed stock: the page says them in its own language, others as they are.
import { lang } from "../texts";

const TURKISH: [RegExp, string][] = [
  [/^repeats number (\d+)$/, "$1 numarayı yineliyor"],
  [/^told again in (\S+)$/, "$1 içinde yeniden anlatılmış"],
  [/^says only what is asked$/, "yalnızca sorulanı söylüyor"],
  [/^does not fit: (\d+) tokens, (-?\d+) left$/, "sığmıyor: $1 token, kalan $2"],
  [/^hardly anything here matters: probability ([\d.]+), below ([\d.]+)$/, "burada önemli bir şey yok gibi: olasılık $1, eşik $2"],
  [/^observed$/, "dinlendi"],
  [/^said$/, "söylendi"],
  [/^imported$/, "içe aktarıldı"],
  [/^noted$/, "not edildi"],
  [/^related by hand$/, "elle bağlandı"],
  [/^amended by hand$/, "elle değiştirildi"],
  [/^pinned$/, "sabitlendi"],
  [/^unpinned$/, "sabitliği kaldırıldı"],
  [/^released$/, "serbest bırakıldı"],
  [/^revived$/, "uyandırıldı"],
  [/^restored$/, "geri getirildi"],
  [/^holds again$/, "yeniden geçerli"],
  [/^part of a theme$/, "bir konunun parçası"],
  [/^corrected by (\S+)$/, "düzelten: $1"],
  [/^corrects (\S+)$/, "şunu düzeltiyor: $1"],
  [/^contradicted by (\S+)$/, "çelişen: $1"],
  [/^superseded by (\S+)$/, "yerini alan: $1"],
  [/^event (\d+) taken back$/, "$1 numaralı olay geri alındı"],
  [/^feedback: (\w+)$/, "geri bildirim: $1"],
];

export function reason(text: string): string {
  if (lang.value !== "tr") return text;
  for (const [pattern, says] of TURKISH) if (pattern.test(text)) return text.replace(pattern, says);
  return text;
}
