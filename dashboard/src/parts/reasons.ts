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
  [/^feedback: used$/, "geri bildirim: işe yaradı"],
  [/^feedback: useless$/, "geri bildirim: işe yaramadı"],
  [/^feedback: (\w+)$/, "geri bildirim: $1"],
  [/^intended$/, "niyet edildi"],
  [/^dream (begun|done)$/, "rüya"],
  [/^in the session's context already$/, "konuşmanın bağlamında zaten var"],
  [/^asked by hand$/, "elle soruldu"],
  [/^language (\w+)$/, "dil $1"],
  [/^terms (.+)$/, "sözcükler $1"],
  [/^asks about the asker$/, "soranla ilgili"],
  [/^asks about (.+)$/, "konusu $1"],
  [/^asks what the assistant said$/, "asistanın ne dediğini soruyor"],
  [/^raises what was said (.+): (\S+) to (\S+)$/, "$1 söylenenleri yükseltir: $2 – $3"],
  [/^meaning compared in (\d+) dimensions$/, "anlam $1 boyutta karşılaştırıldı"],
  [/^(\d+) candidates of (\d+) memories$/, "$2 anıdan $1 aday"],
  [/^an answer is here with probability ([\d.]+)$/, "$1 olasılıkla burada bir yanıt var"],
  [/^(\d+) of (\d+) moved$/, "$2 adaydan $1 yer değiştirdi"],
  [/^it is not asked whether$/, "öyle mi diye sorulmadı"],
  [/^nothing is both denied and affirmed$/, "hem yadsınan hem doğrulanan yok"],
  [/^(\d+) says? the opposite$/, "$1 tersini söylüyor"],
  [/^(\d+) outdated$/, "$1 eskimiş"],
  [/^(\d+) behind what was said later, (\d+) possibly outdated$/, "$1 sonradan söylenenin arkasında, $2 belki eskimiş"],
  [/^(\w+) by (\w+) with probability ([\d.]+)$/, "$3 olasılıkla $1 yerine $2"],
  [/^none apply$/, "geçerli olan yok"],
  [/^(\d+) apply$/, "$1 geçerli"],
  [/^what was said is asked for$/, "ne dendiği soruldu"],
  [/^repeats are withheld$/, "yinelemeler verilmez"],
  [/^(\d+) withheld$/, "$1 verilmedi"],
  [/^(\d+) read, (\d+) moved$/, "$1 okundu, $2 yer değiştirdi"],
  [/^not estimated$/, "hesaplanmadı"],
  [/^(\d+) injected, (\d+) withheld, (\d+) tokens$/, "$1 verildi, $2 verilmedi, $3 token"],
  [/^(\d+) injected, (\d+) withheld, (\d+) stand beside, (\d+) tokens$/, "$1 verildi, $2 verilmedi, $3 yanında, $4 token"],
];
/** Why a job failed: the table of jobs keeps a sentence, without its kind. */
const FAILURES: [RegExp, string][] = [
  [/^There is no file (.+)\.$/, "Böyle bir dosya yok: $1"],
  [/^(.+) holds no conversations\.json and no JSON lines\.$/, "$1 içinde ne conversations.json var ne de JSON satırları."],
  [/^No message was found: (.+)$/, "Hiçbir ileti bulunamadı: $1"],
  [/^There is a file at (.+) already\.$/, "Orada zaten bir dosya var: $1"],
  [/^Another process has the store open\. Nothing was changed\.$/, "Belleği başka bir süreç açık tutuyor. Hiçbir şey değişmedi."],
  [/^Choose another name, or move it away\.$/, "Başka bir ad seçin ya da onu taşıyın."],
  [/^Check the path\.$/, "Yolu denetleyin."],
];

/** The values a step weighed, which the page shows elsewhere: "cue absent 0.00 (+0.80), …". */
const WEIGHED = /: [\w ]+ -?[\d.]+ \([+-][\d.]+\).*$/s;

/** What a step noted, clause by clause, without the values it weighed. */
export function noted(note: string): string {
  return note.split("; ").map((clause) => reason(clause.replace(WEIGHED, ""))).join("; ");
}

export function reason(text: string): string {
  return translated(text, TURKISH);
}

/** Why a job failed. */
export function failed(text: string): string {
  return translated(text, FAILURES);
}

function translated(text: string, stock: [RegExp, string][]): string {
  if (lang.value !== "tr") return text;
  for (const [pattern, says] of stock) if (pattern.test(text)) return text.replace(pattern, says);
  return text;
}
