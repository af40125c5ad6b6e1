// Food information: names, the combination of several parts, and unknown food is never reported as free of an allergen.
import TestBasics
import Testing

@testable import Ordering

@Suite("Food information")
struct FoodTests {
    @Test("The allergens are the 14 of Regulation (EU) No 1169/2011 and the diets the six documented ones, in order")
    func names() throws {
        let allergens = [
            "celery", "gluten", "crustaceans", "eggs", "fish", "lupin", "milk", "molluscs", "mustard", "nuts",
            "peanuts", "sesame", "soya",
            "sulphites",
        ]
        let diets = ["vegan", "vegetarian", "halal", "kosher", "gluten_free", "lactose_free"]
        #expect(Allergen.allCases.map(\.rawValue) == allergens && Diet.allCases.map(\.rawValue) == diets)
        var random = SeededRandom()
        let shuffled = (allergens + allergens).shuffled(using: &random)
        #expect(try #require(Allergens(rawValues: shuffled)).all.map(\.rawValue) == allergens, "\(random)")
        #expect(try #require(Diets(rawValues: diets.reversed())).all.map(\.rawValue) == diets)
        #expect(try #require(Allergens(rawValues: "nuts,milk".split(separator: ","))).all == [.milk, .nuts])
        #expect(try #require(Allergens(rawValues: [String]())).isEmpty)
    }

    @Test(
        "A name that is not in the list is rejected, in any spelling and of any length",
        arguments: [
            "", " ", "Milk", "MILK", " milk", "milk ", "milk\u{0}", "milch", "mi\u{301}lk", "ｍｉｌｋ", "vegan",
            "gluten_free", "milk,nuts",
            String(repeating: "milk", count: 500_000), String(repeating: "\u{301}", count: 1_000_000),
        ])
    func unknownNames(text: String) {
        #expect(Allergens(rawValues: [text]) == nil)
        #expect(Allergens(rawValues: ["milk", text, "nuts"]) == nil)
    }

    @Test("A list of a million equal names is parsed to one allergen")
    func manyNames() throws {
        let names = try #require(Allergens(rawValues: repeatElement("milk", count: 1_000_000)))
        #expect(names == [.milk] && names.all == [.milk])
    }

    @Test("Allergen sets behave like sets in union, disjointness and membership")
    func sets() {
        var random = SeededRandom()
        for _ in 0..<2_000 {
            let (left, right) = (Self.some(Allergen.self, &random), Self.some(Allergen.self, &random))
            let (first, second) = (Allergens(left), Allergens(right))
            #expect(Set(first.all) == left && first == Allergens(left.shuffled(using: &random)), "\(random)")
            #expect(Set(first.union(second).all) == left.union(right), "\(random)")
            #expect(first.isDisjoint(with: second) == left.isDisjoint(with: right), "\(random)")
            #expect(first.isEmpty == left.isEmpty, "\(random)")
            for allergen in Allergen.allCases {
                #expect(first.contains(allergen) == left.contains(allergen), "\(random)")
            }
        }
    }

    @Test("Vegan excludes milk, eggs, fish, crustaceans and molluscs, vegetarian the last three; traces are allowed")
    func contradictions() {
        for allergen in Allergen.allCases {
            let inVegan = [.milk, .eggs, .fish, .crustaceans, .molluscs].contains(allergen)
            let inVegetarian = [.fish, .crustaceans, .molluscs].contains(allergen)
            #expect((FoodInformation(contains: [allergen], diets: [.vegan]) == nil) == inVegan, "\(allergen)")
            #expect(
                (FoodInformation(contains: [allergen], diets: [.halal, .vegetarian]) == nil) == inVegetarian,
                "\(allergen)")
            #expect(
                FoodInformation(contains: [allergen], diets: [.halal, .kosher, .glutenFree, .lactoseFree]) != nil,
                "\(allergen)")
            #expect(FoodInformation(mayContain: [allergen], diets: [.vegan, .vegetarian]) != nil, "\(allergen)")
        }
    }

    @Test(
        "A minimum age must be 0 to 99, and nutrition figures must not be negative",
        arguments: [Int.min, -1, 0, 18, 99, 100, .max])
    func bounds(number: Int) {
        #expect((FoodInformation(minimumAge: number) != nil) == (0...99).contains(number))
        let figure = Int64(number)
        let all = [
            Nutrition(kilojoules: figure), Nutrition(kilocalories: figure), Nutrition(fat: figure),
            Nutrition(saturates: figure),
            Nutrition(carbohydrate: figure), Nutrition(sugars: figure), Nutrition(protein: figure),
            Nutrition(salt: figure),
        ]
        #expect(all.allSatisfy { ($0 != nil) == (number >= 0) })
    }

    @Test("A dish has the allergens of all its parts, the diets that suit every part, and the highest minimum age")
    func union() throws {
        let (much, little) = (
            Nutrition(kilojoules: 2_000, fat: 20_000, salt: 1_500), Nutrition(kilojoules: 300, fat: 7_000)
        )
        let burger = try #require(
            FoodInformation(
                contains: [.gluten], mayContain: [.sesame], allergensAreKnown: true, diets: [.vegetarian, .halal],
                nutrition: much ?? .unknown, minimumAge: nil))
        let cheese = try #require(
            FoodInformation(
                contains: [.milk], mayContain: [.gluten], allergensAreKnown: true, diets: [.vegetarian, .glutenFree],
                nutrition: little ?? .unknown, minimumAge: 16))
        let rum = try #require(FoodInformation(allergensAreKnown: true, diets: [.vegetarian, .halal], minimumAge: 18))

        let both = burger.adding(2, of: cheese)
        #expect(both.contains == [.gluten, .milk] && both.mayContain == [.gluten, .sesame] && both.allergensAreKnown)
        #expect(both.diets == [.vegetarian] && both.minimumAge == 16)
        #expect(both.nutrition == Nutrition(kilojoules: 2_600, fat: 34_000))

        let three = burger.adding(2, of: cheese).adding(1, of: rum)
        #expect(three.minimumAge == 18 && three.nutrition == .unknown && three.allergensAreKnown)
        let some = burger.adding(1, of: cheese).adding(1, of: .unknown).adding(1, of: cheese)
        #expect(!some.allergensAreKnown && some.contains == [.gluten, .milk] && some.diets.isEmpty)
        // A part with no portions changes nothing, even if its food information is unknown.
        for none in [0, -1, .min] { #expect(burger.adding(none, of: .unknown) == burger) }
    }

    @Test("Vegan food also suits vegetarians, and a dish of vegan and vegetarian parts is vegetarian")
    func veganIsVegetarian() throws {
        func diets(_ all: [Diets]) throws -> Diets {
            let facts = try all.map { try #require(FoodInformation(diets: $0)) }
            return try #require(facts.first).adding(facts.dropFirst().map { (portions: 1, food: $0) }).diets
        }
        #expect(try diets([[.vegan], [.vegetarian]]) == [.vegetarian])
        #expect(try diets([[.vegetarian, .halal], [.vegan, .halal]]) == [.vegetarian, .halal])
        #expect(try diets([[.vegan], [.vegan]]) == [.vegan])
        #expect(try diets([[.vegan], [.vegan], [.vegetarian]]) == [.vegetarian])
        #expect(try diets([[.vegan], [.halal]]).isEmpty)
        let vegan = try #require(FoodInformation(diets: [.vegan]))
        #expect(
            vegan.suits([.vegetarian]) && vegan.suits([.vegan, .vegetarian]) && vegan.suits([])
                && !vegan.suits([.vegan, .halal]))
        #expect(try #require(FoodInformation(diets: [.vegetarian])).suits([.vegan]) == false)
    }

    @Test("The food information of a dish agrees with each part and does not depend on the order of its parts")
    func anyOrder() throws {
        var random = SeededRandom()
        for _ in 0..<1_000 {
            let parts = try (0..<Int.random(in: 1...5, using: &random)).map { _ in
                (portions: Int.random(in: 1...9, using: &random), food: try Self.food(&random))
            }
            let zero = try #require(Self.nutrition { 0 })
            let nothing = try #require(
                FoodInformation(allergensAreKnown: true, diets: Diets(Diet.allCases), nutrition: zero))
            let together = nothing.adding(parts)
            #expect(nothing.adding(parts.shuffled(using: &random)) == together, "\(random)")
            for allergen in Allergen.allCases {
                #expect(
                    together.contains.contains(allergen) == parts.contains { $0.food.contains.contains(allergen) },
                    "\(random)")
                #expect(
                    together.mayContain.contains(allergen) == parts.contains { $0.food.mayContain.contains(allergen) },
                    "\(random)")
                #expect(
                    together.isFree(of: [allergen])
                        == parts.allSatisfy {
                            $0.food.allergensAreKnown && !$0.food.contains.contains(allergen)
                                && !$0.food.mayContain.contains(allergen)
                        }, "\(random)")
            }
            for diet in Diet.allCases {
                #expect(together.suits([diet]) == parts.allSatisfy { $0.food.suits([diet]) }, "\(random)")
            }
            #expect(together.minimumAge == parts.compactMap(\.food.minimumAge).max(), "\(random)")
            let salts = parts.map { part in part.food.nutrition.salt.map { $0 * Int64(part.portions) } }
            #expect(
                together.nutrition.salt == (salts.contains(nil) ? nil : salts.compactMap(\.self).reduce(0, +)),
                "\(random)")
            // The combined food information is valid: no diet contradicts its allergens.
            #expect(
                FoodInformation(
                    contains: together.contains, mayContain: together.mayContain,
                    allergensAreKnown: together.allergensAreKnown,
                    diets: together.diets, nutrition: together.nutrition, minimumAge: together.minimumAge) == together,
                "\(random)")
        }
    }

    @Test("Nutrition figures are added up by portions, and a figure that overflows becomes unknown")
    func nutrition() throws {
        var next: Int64 = 0
        let own = try #require(
            Self.nutrition {
                next += 1
                return next
            })
        let sum = own.adding(3, of: own)
        #expect(
            sum
                == Nutrition(
                    kilojoules: 4, kilocalories: 8, fat: 12, saturates: 16, carbohydrate: 20, sugars: 24, protein: 28,
                    salt: 32))
        let huge = try #require(Self.nutrition { .max })
        #expect(
            own.adding(1, of: huge) == .unknown && huge.adding(2, of: huge) == .unknown
                && huge.adding(.max, of: huge) == .unknown)
        #expect(try #require(Self.nutrition { 0 }).adding(1, of: huge) == huge)
        let food = try #require(FoodInformation(nutrition: huge))
        #expect(food.adding(.max, of: food).nutrition == .unknown)
    }

    private static func some<Name: FoodLabel>(_: Name.Type, _ random: inout SeededRandom) -> Set<Name> {
        Set(Name.allCases.filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
    }

    private static func nutrition(_ figure: () -> Int64?) -> Nutrition? {
        Nutrition(
            kilojoules: figure(), kilocalories: figure(), fat: figure(), saturates: figure(), carbohydrate: figure(),
            sugars: figure(),
            protein: figure(), salt: figure())
    }

    /// Random food information that staff could enter.
    private static func food(_ random: inout SeededRandom) throws -> FoodInformation {
        let diets = Diets(some(Diet.self, &random))
        let contradictions = diets.all.map(\.excludedAllergens).reduce(Allergens()) { $0.union($1) }
        let figures = try #require(nutrition { [nil, 0, 1, 250, 1_000_000_000].randomElement(using: &random) ?? nil })
        return try #require(
            FoodInformation(
                contains: Allergens(some(Allergen.self, &random).filter { !contradictions.contains($0) }),
                mayContain: Allergens(some(Allergen.self, &random)), allergensAreKnown: Bool.random(using: &random),
                diets: diets,
                nutrition: figures, minimumAge: [nil, 0, 16, 18, 99].randomElement(using: &random) ?? nil))
    }
}

extension FoodInformation {
    /// This food information, combined with that of other parts.
    fileprivate func adding(_ others: [(portions: Int, food: FoodInformation)]) -> FoodInformation {
        others.reduce(self) { $0.adding($1.portions, of: $1.food) }
    }
}
