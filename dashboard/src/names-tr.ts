// Names of the program's own in Turkish: kinds, states, signals, steps, fields. What is not here is shown as it is.

const KINDS = {
  episode: "an", fact: "olgu", preference: "tercih", instruction: "talimat", decision: "karar", correction: "düzeltme", plan: "plan",
  entity: "varlık", summary: "özet", pattern: "örüntü", skill: "beceri", intention: "niyet", person: "kişi", place: "yer", organisation: "kuruluş",
};

const RELATIONS = {
  supersedes: "yerini alır", contradicts: "çelişir", causes: "yol açar", elaborates: "ayrıntılandırır", "same entity": "aynı varlık", "related to": "ilgili", names: "adını anar", name: "ad",
};

const SIGNALS = {
  text: "sözcükler", window: "çevresi", coverage: "kapsama", meaning: "anlam", "own meaning": "kendi anlamı", "second likeness": "ikinci benzerlik",
  "second meaning": "ikinci anlam", speaker: "konuşan", time: "zaman", dated: "tarihli", telling: "anlatım", length: "uzunluk", size: "boy",
  recency: "yenilik", user: "kullanıcı", assistant: "asistan", device: "araç", order: "buyruk", taste: "beğeni", company: "birliktelik",
  reader: "okuyucu", standing: "sürekli", outdated: "eskimiş", newer: "daha yeni", superseded: "yerine yenisi geldi", "other side": "karşı görüş",
  vicarious: "paylaşılmış", "what was done": "yapılan iş", similarity: "benzerlik", activation: "etkinlik", importance: "önem", fused: "birleşik",
  source: "kaynak", entities: "varlıklar", session: "konuşma", mood: "ruh hali", related: "ilgili", utility: "yarar", hot: "sıcak", confirmed: "doğrulanmış",
  quoted: "alıntı", parts: "parçalar", "low confidence": "düşük güven", decay: "solma", tags: "etiketler",
};

/** Features of the confidence: those of the cue, of the store, and of the first candidate. */
const GROUNDS = {
  best: "en iyi sözcük uyumu", context: "bağlam", when: "zamanı", named: "adı geçen", absent: "bulunmayan sözcükler", particulars: "ayrıntılar",
  memories: "anı sayısı", "cue question": "soru mu", "cue length": "sorunun uzunluğu", "cue names a speaker": "soru bir konuşanı anıyor",
  "cue absent": "sorunun bulunmayan sözcükleri", "cue agreement": "aramaların uyuşması", "cue long texts": "uzun metinler", "cue window": "sorunun zamanı",
  "cue covered": "sorunun kapsanması", "cue likest": "en benzer", "cue peak": "doruk", "cue second likest": "ikinci modelde en benzer",
  "cue second peak": "ikinci modelde doruk", "cue people": "insanlar", "cue assistants": "asistanlar", "cue devices": "araçlar", "cue advice": "öğüt sorusu",
  "cue needs nothing": "bellek gerekmiyor", "best score": "en iyi puan", lead: "öndelik", fall: "düşüş", spread: "yayılım",
};

const STEPS = {
  understand: "anlama", "pre-gate": "ön kapı", search: "arama", echoes: "yankılar", answerable: "yanıtlanabilirlik", "answer gate": "yanıt kapısı",
  opposed: "karşı çıkanlar", updates: "güncellemeler", repeats: "yinelemeler", "standing orders": "sürekli talimatlar", collapse: "katlama", pack: "paketleme",
  strengthen: "güçlendirme", "formed first": "önce oluşanlar", asked: "sorulan", route: "yönlendirme", expand: "genişletme", diversify: "çeşitlendirme",
  "newest first": "önce en yeni", threshold: "eşik", decompose: "parçalama", "confidence gate": "güven kapısı", "confidence bands": "güven bantları",
  "tier decay": "katman solması", "emotional consolidation": "duygusal pekiştirme", "synaptic replay": "yeniden oynatma", "promotion and demotion": "yükselme ve düşme",
  "utility drift": "yarar kayması", rehearsal: "yineleme", "foresight expiry": "süresi dolan öngörüler", forgetting: "unutma", clustering: "kümeleme",
  consolidation: "pekiştirme", redundancy: "fazlalıklar", abstraction: "soyutlama", "category summaries": "tür özetleri", "hot tier": "sıcak katman",
  "falling asleep": "uykuya dalma", deduplication: "yinelenenleri ayıklama", "related links": "ilgili bağlar", "cluster candidates": "küme adayları",
  "dormancy candidates": "uyku adayları", "earned importance": "kazanılan önem", "decay sweep": "solma taraması", sharing: "paylaşım", trimming: "budama",
  resting: "dinlenme", "skill cards": "beceri kartları", compression: "sıkıştırma", retention: "saklama süresi",
};

const VALUES = {
  active: "etkin", fading: "soluyor", dormant: "uykuda", quarantined: "karantinada", episodic: "anısal", semantic: "anlamsal",
  factual: "olgu sorusu", temporal: "zaman sorusu", causal: "neden sorusu", general: "genel", read: "okuma", write: "yazma", admin: "yönetim",
  power: "kuvvet", exponential: "üstel", reverie: "reverie", done: "bitti", running: "sürüyor", waiting: "bekliyor", failed: "başarısız", cancelled: "vazgeçildi",
  observer: "gözlemci", user_message: "kullanıcının iletisi", assistant_message: "asistanın iletisi",
};

const FIELDS = {
  tier: "katman", state: "durum", "stability days": "kararlılık (gün)", storage: "depolama gücü", confidence: "güven", valence: "hoşluk", arousal: "uyarılma",
  emotion: "duygu", pinned: "sabit", immutable: "değişmez", flashbulb: "flaş anı", verified: "doğrulanmış", "time bounded": "süreli", "valid from": "geçerli olduğu an",
  "valid until": "geçerli olduğu son an", "write source": "yazan", "data source": "veri kaynağı", "superseded by": "yerini alan", "tagged until": "etiketli olduğu son an",
  captured: "yakalandı", "drifted at": "kaydığı an", "rehearsed at": "yinelendiği an", "replayed at": "oynatıldığı an", "consolidated at": "pekiştiği an",
  accesses: "erişimler", "last access": "son erişim", kind: "tür", sources: "kaynaklar", keywords: "anahtar sözcükler", at: "an",
};

const FIRST = Object.fromEntries(Object.entries(SIGNALS).map(([name, says]) => [`first ${name}`, `ilkinde ${says}`]));

export const names: Readonly<Record<string, string>> = { ...FIELDS, ...FIRST, ...GROUNDS, ...VALUES, ...STEPS, ...SIGNALS, ...RELATIONS, ...KINDS };
